internal import FootfallHistory
public import Foundation

/// The domain of ``MotionError``, which is Core Motion's.
public let motionErrorDomain = "CMErrorDomain"

/// The error codes of Core Motion.
public enum MotionErrorCode: UInt32, CaseIterable, Sendable {
    /// No error.
    case null = 100
    /// The device must be moved first. Never occurs here.
    case deviceRequiresMovement
    /// True north is not available. Never occurs here.
    case trueNorthNotAvailable
    /// An error without a code of its own; see its description.
    case unknown
    /// There is no ``MotionCoprocessor/default``, or its history is missing.
    case motionActivityNotAvailable
    /// The history may not be read.
    case motionActivityNotAuthorized
    /// The program has no entitlement. Never occurs here.
    case motionActivityNotEntitled
    /// A range ends before it starts, the source is not in the history, or there are several sources and none is named.
    case invalidParameter
    /// An action was started twice. Never occurs here.
    case invalidActionForCurrentState
    /// The device is not available.
    case notAvailable
    /// The program has no entitlement. Never occurs here.
    case notEntitled
    /// The device may not be read. Never occurs here.
    case notAuthorized
    /// There is no data. Never occurs here.
    case nilData
    /// The request is too large. Never occurs here.
    case size
}

/// An error of a query or of live updates.
///
/// As an `NSError` it has Core Motion's domain and code.
public struct MotionError: Error, Hashable, Sendable {
    /// The code of the error.
    public let code: MotionErrorCode
    /// What happened, and the remedy.
    public let description: String

    init(_ code: MotionErrorCode, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Converts an error of a history or a device.
    init(_ error: any Error) {
        switch error {
        case let error as MotionError: self = error
        case let error as HistoryError:
            let code: MotionErrorCode =
                switch error.reason {
                case .notPermitted: .motionActivityNotAuthorized
                case .missing: .motionActivityNotAvailable
                case .unknownSource, .severalSources, .invalidSource: .invalidParameter
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
    /// The description, under the key of `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
