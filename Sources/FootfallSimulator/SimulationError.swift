import Footfall

/// A scenario or a sensor that cannot be simulated.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A property is out of range.
    case outOfRange(name: String, value: Double, possible: String)
    /// No scenario has this name.
    case unknownScenario(name: String, known: [String])

    /// The problem and the possible values.
    public var description: String {
        switch self {
        case .outOfRange(let name, let value, let possible): "\(name) is \(value); it must be \(possible)"
        case .unknownScenario(let name, let known):
            "unknown scenario '\(name)'; write one of \(known.joined(separator: ", "))"
        }
    }
}

extension SensorModel {
    func validate() throws(SimulationError) {
        let rates = SensorModel.sampleRates
        try check("sampleRate", sampleRate, rates.contains(sampleRate), "from 12.5 to 800 Hz")
        try check("jitter", jitter, (0..<1).contains(jitter), "from 0 to below 1 s")
        try check("noise", Double(noise), (0...100).contains(noise), "from 0 to 100 g")
        try check("range", Double(range), range > 0, "above 0 g")
        try check("resolution", Double(resolution), resolution >= 0 && resolution < 1, "from 0 to below 1 g")
        for axis in 0..<3 {
            try check("bias", Double(bias[axis]), abs(bias[axis]) <= 100, "within 100 g of 0")
            try check("scale", Double(scale[axis]), abs(scale[axis]) <= 100, "within 100 of 0")
        }
        try check("lostShare", lostShare, (0..<1).contains(lostShare), "from 0 to below 1")
        try check("gapsPerHour", gapsPerHour, (0...3600).contains(gapsPerHour), "from 0 to 3600")
        for gap in gaps {
            let isFinite = gap.lowerBound.isFinite && gap.upperBound.isFinite
            try check("a gap", gap.lowerBound, isFinite, "between two finite times")
        }
        let isStartPossible = Timestamp.supported.contains(start)
        try check("start", Double(start.nanosecondsSince1970) * 1e-9, isStartPossible, "from 1900 to 2149")
        try check("meanGap", meanGap, meanGap > 0 && meanGap < .infinity, "above 0 s")
        try check("wander", Double(wander), (0...90).contains(wander), "from 0 to 90 degrees")
    }
}

extension Scenario {
    func validate() throws(SimulationError) {
        for scene in scenes {
            let year = 366.0 * 86400
            try check("a scene's duration", scene.duration, (0...year).contains(scene.duration), "0 s to a year")
            switch scene.doing {
            case .walking(let gait), .running(let gait):
                try check("cadence", gait.cadence, (20...300).contains(gait.cadence), "from 20 to 300 steps a minute")
                try check("variation", gait.variation, (0...0.2).contains(gait.variation), "from 0 to 0.2")
                try check("asymmetry", gait.asymmetry, (0...0.3).contains(gait.asymmetry), "from 0 to 0.3")
                let strengths = gait.vigour.magnitude + gait.armSwing.magnitude
                try check("vigour or armSwing", strengths, strengths <= 100, "a small multiple of 1")
            case .driving(let ride):
                let fastest = ride.speeds.upperBound
                try check("a ride's speed", fastest, ride.speeds.lowerBound > 0 && fastest < 100, "from 0 to 100 m/s")
                let shaking = max(ride.roughness.magnitude, ride.engine.magnitude)
                try check("roughness or engine", shaking, shaking <= 10, "below 10 g")
                let shortest = min(ride.cruises.lowerBound, ride.halts.lowerBound)
                try check("a cruise or halt", shortest, shortest >= 1, "1 s or longer")
            case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork, .handling: break
            }
        }
    }
}

private func check(
    _ name: String, _ value: Double, _ isPossible: Bool, _ possible: String
) throws(SimulationError) {
    guard isPossible else { throw .outOfRange(name: name, value: value, possible: possible) }
}
