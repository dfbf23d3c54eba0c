internal import FootfallHistory
public import Foundation

/// The domain of ``MotionError``, under Core Motion's name for it.
public let motionErrorDomain = "CMErrorDomain"

/// What went wrong, as Core Motion numbers it.
public enum MotionErrorCode: UInt32, CaseIterable, Sendable {
    /// Nothing.
    case null = 100
    /// The device must be moved first. Never occurs here.
    case deviceRequiresMovement
    /// True north is not known. Never occurs here.
    case trueNorthNotAvailable
    /// Something that has no number of its own; the description says what.
    case unknown
    /// There is nothing that knows activities or steps: no ``MotionCoprocessor/default``.
    case motionActivityNotAvailable
    /// The history may not be read.
    case motionActivityNotAuthorized
    /// The program may not ask. Never occurs here.
    case motionActivityNotEntitled
    /// A range ends before it starts.
    case invalidParameter
    /// Something was begun twice. Never occurs here.
    case invalidActionForCurrentState
    /// The device, or something of it, is not there.
    case notAvailable
    /// The program may not ask. Never occurs here.
    case notEntitled
    /// The device may not be read.
    case notAuthorized
    /// There are no data. Never occurs here.
    case nilData
    /// Too much was asked for. Never occurs here.
    case size
}

/// Why something about motion could not be told.
///
/// As an `NSError` it has Core Motion's domain and code.
public struct MotionError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: MotionErrorCode
    /// What happened and what to do, in words.
    public let description: String

    init(_ code: MotionErrorCode, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Puts the error of a history or a device in Core Motion's terms.
    init(_ error: any Error) {
        switch error {
        case let error as MotionError: self = error
        case let error as HistoryError:
            let code: MotionErrorCode =
                switch error.reason {
                case .notPermitted: .motionActivityNotAuthorized
                case .missing: .motionActivityNotAvailable
                default: .unknown
                }
            self.init(code, error.description)
        default: self.init(.notAvailable, String(describing: error))
        }
    }
}

extension MotionError: CustomNSError, LocalizedError, CustomStringConvertible {
    /// Core Motion's domain.
    public static var errorDomain: String { motionErrorDomain }
    /// The number of ``code``.
    public var errorCode: Int { Int(code.rawValue) }
    /// The description, where an `NSError` has it.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

/// Whether motion may be told of.
public enum AuthorizationStatus: Int, CaseIterable, Sendable {
    /// Nobody has said yet: there is no ``MotionCoprocessor/default``.
    case notDetermined
    /// The system forbids it. Never occurs here.
    case restricted
    /// The history may not be read.
    case denied
    /// The history may be read.
    case authorized

    static var current: AuthorizationStatus {
        guard let coprocessor = MotionCoprocessor.default else { return .notDetermined }
        do {
            _ = try coprocessor.ask(or: 0) { try $0.revision }
            return .authorized
        } catch {
            return error.code == .motionActivityNotAuthorized ? .denied : .authorized
        }
    }
}
