// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation

// Core Motion's own names, so that source written for an iPhone compiles as it is.

/// See ``MotionActivityManager``.
public typealias CMMotionActivityManager = MotionActivityManager
/// See ``MotionActivity``.
public typealias CMMotionActivity = MotionActivity
/// See ``MotionActivityConfidence``.
public typealias CMMotionActivityConfidence = MotionActivityConfidence
/// Gets an activity as it begins.
public typealias CMMotionActivityHandler = @Sendable (MotionActivity?) -> Void
/// Gets the activities of a range.
public typealias CMMotionActivityQueryHandler = @Sendable ([MotionActivity]?, (any Error)?) -> Void
/// See ``Pedometer``.
public typealias CMPedometer = Pedometer
/// See ``PedometerData``.
public typealias CMPedometerData = PedometerData
/// Gets the steps of a range.
public typealias CMPedometerHandler = @Sendable (PedometerData?, (any Error)?) -> Void
/// See ``PedometerEvent``.
public typealias CMPedometerEvent = PedometerEvent
/// See ``PedometerEvent/Kind``.
public typealias CMPedometerEventType = PedometerEvent.Kind
/// Gets an event as it happens.
public typealias CMPedometerEventHandler = @Sendable (PedometerEvent?, (any Error)?) -> Void
/// See ``StepCounter``.
public typealias CMStepCounter = StepCounter
/// Gets the number of steps in a range.
public typealias CMStepQueryHandler = @Sendable (Int, (any Error)?) -> Void
/// Gets the number of steps as it grows.
public typealias CMStepUpdateHandler = @Sendable (Int, Date, (any Error)?) -> Void
/// See ``AuthorizationStatus``.
public typealias CMAuthorizationStatus = AuthorizationStatus
/// See ``MotionErrorCode``.
public typealias CMError = MotionErrorCode

/// See ``motionErrorDomain``.
public let CMErrorDomain = motionErrorDomain
/// See ``MotionErrorCode/null``.
public let CMErrorNULL = CMError.null
/// See ``MotionErrorCode/deviceRequiresMovement``.
public let CMErrorDeviceRequiresMovement = CMError.deviceRequiresMovement
/// See ``MotionErrorCode/trueNorthNotAvailable``.
public let CMErrorTrueNorthNotAvailable = CMError.trueNorthNotAvailable
/// See ``MotionErrorCode/unknown``.
public let CMErrorUnknown = CMError.unknown
/// See ``MotionErrorCode/motionActivityNotAvailable``.
public let CMErrorMotionActivityNotAvailable = CMError.motionActivityNotAvailable
/// See ``MotionErrorCode/motionActivityNotAuthorized``.
public let CMErrorMotionActivityNotAuthorized = CMError.motionActivityNotAuthorized
/// See ``MotionErrorCode/motionActivityNotEntitled``.
public let CMErrorMotionActivityNotEntitled = CMError.motionActivityNotEntitled
/// See ``MotionErrorCode/invalidParameter``.
public let CMErrorInvalidParameter = CMError.invalidParameter
/// See ``MotionErrorCode/invalidActionForCurrentState``.
public let CMErrorInvalidAction = CMError.invalidActionForCurrentState
/// See ``MotionErrorCode/notAvailable``.
public let CMErrorNotAvailable = CMError.notAvailable
/// See ``MotionErrorCode/notEntitled``.
public let CMErrorNotEntitled = CMError.notEntitled
/// See ``MotionErrorCode/notAuthorized``.
public let CMErrorNotAuthorized = CMError.notAuthorized
/// See ``MotionErrorCode/nilData``.
public let CMErrorNilData = CMError.nilData
/// See ``MotionErrorCode/size``.
public let CMErrorSize = CMError.size
