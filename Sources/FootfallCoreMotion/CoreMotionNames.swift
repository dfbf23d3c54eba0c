// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Core Motion's names, so that source written for an iPhone compiles without changes.

/// See ``MotionActivityManager``.
public typealias CMMotionActivityManager = MotionActivityManager
/// See ``MotionActivity``.
public typealias CMMotionActivity = MotionActivity
/// See ``MotionActivityConfidence``.
public typealias CMMotionActivityConfidence = MotionActivityConfidence
/// The handler of an activity update.
public typealias CMMotionActivityHandler = @Sendable (MotionActivity?) -> Void
/// The handler of a query for activities.
public typealias CMMotionActivityQueryHandler = @Sendable ([MotionActivity]?, (any Error)?) -> Void
/// See ``Pedometer``.
public typealias CMPedometer = Pedometer
/// See ``PedometerData``.
public typealias CMPedometerData = PedometerData
/// The handler of a query or an update of steps.
public typealias CMPedometerHandler = @Sendable (PedometerData?, (any Error)?) -> Void
/// See ``PedometerEvent``.
public typealias CMPedometerEvent = PedometerEvent
/// See ``PedometerEvent/Kind``.
public typealias CMPedometerEventType = PedometerEvent.Kind
/// The handler of an event.
public typealias CMPedometerEventHandler = @Sendable (PedometerEvent?, (any Error)?) -> Void
/// See ``StepCounter``.
public typealias CMStepCounter = StepCounter
/// The handler of a query for the number of steps.
public typealias CMStepQueryHandler = @Sendable (Int, (any Error)?) -> Void
/// The handler of an update of the number of steps.
public typealias CMStepUpdateHandler = @Sendable (Int, Date, (any Error)?) -> Void
/// See ``BatchedSensorManager``.
public typealias CMBatchedSensorManager = BatchedSensorManager
/// See ``SensorRecorder``.
public typealias CMSensorRecorder = SensorRecorder
/// See ``SensorDataList``.
public typealias CMSensorDataList = SensorDataList
/// See ``Acceleration``.
public typealias CMAcceleration = Acceleration
/// See ``AccelerometerData``.
public typealias CMAccelerometerData = AccelerometerData
/// See ``RecordedAccelerometerData``.
public typealias CMRecordedAccelerometerData = RecordedAccelerometerData
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
