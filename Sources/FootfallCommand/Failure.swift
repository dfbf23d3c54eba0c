import FootfallLive
import FootfallReaders
import FootfallServer
import FootfallStudy

/// Failures of the command: a line on standard error and an exit code of sysexits.h.
enum Failure {
    /// General failure.
    static let failure: Int32 = 1
    /// The range has no data, and `--require-data` is given.
    static let noData: Int32 = 3
    /// A part of the results is not in the history: it is older than the history keeps, or another trace replaced it.
    static let notKept: Int32 = 4
    /// The command line is invalid (EX_USAGE).
    static let usage: Int32 = 64
    /// The input is malformed (EX_DATAERR).
    static let badData: Int32 = 65
    /// The input does not exist or cannot be read (EX_NOINPUT).
    static let missingInput: Int32 = 66
    /// An existing file is not replaced (EX_CANTCREAT).
    static let cannotCreate: Int32 = 73
    /// A device cannot be opened, or an address is not there yet; a later attempt may succeed (EX_IOERR).
    static let deviceFailure: Int32 = 74
    /// The user has no permission for a device, a history or a token (EX_NOPERM).
    static let notPermitted: Int32 = 77
    /// The server cannot start as it is set up, until somebody changes that (EX_CONFIG).
    static let configuration: Int32 = 78

    /// The problem and its remedy. Libraries speak of parameters where the command has options.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as ServerError: error.asOptions
        case let error as TraceError: error.message.asOptions
        case let error as DeviceError: error.asCommands
        case let error as FileError: error.asOptions
        default: "\(error)"
        }
    }
}
