/// The kind of sensor that a title, a unit or a file name states. The words are those of apps in English, German,
/// French, Dutch, Italian, Spanish, Portuguese, Polish, Czech, the Scandinavian languages, Turkish, Russian, Greek,
/// Japanese, Chinese and Korean. Case and accents are ignored.
package enum SensorKind: String, Hashable, Sendable {
    case accelerometer
    case gyroscope
    case magnetometer
    case linearAcceleration = "acceleration without gravity"
    case gravity = "gravity alone"
    case orientation
    case barometer
    case position

    /// What columns are that hold no acceleration, in a message.
    var asOther: String { self == .position ? "a position" : "another sensor (\(rawValue))" }

    /// The kind that a title states, by its words or its unit; nil when it states none.
    package init?(title: String) {
        let kind = Self.known.result(of: title) { title in
            let words = SensorWords(title)
            return SensorKind(words) ?? words.unit
        }
        guard let kind else { return nil }
        self = kind
    }

    private static let known = Memo<SensorKind?>()
    private static let knownUnits = Memo<SensorKind?>()

    /// The kind that the name of a file states; nil for none, and for a file of several sensors. Orientation, pressure
    /// and gravity may describe the content of a recording, so they must be the only word.
    package init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        self.init(onlyIn: String(name.split(separator: ".").first ?? ""))
    }

    /// The only kind in a text; nil for none or several.
    package init?(onlyIn text: String) {
        let words = SensorWords(text)
        guard let kind = SensorKind(words) else { return nil }
        switch kind {
        case .accelerometer: break
        case .linearAcceleration:
            guard words.haveAcceleration || words.isSingle else { return nil }
        case .gyroscope, .magnetometer:
            if words.haveAcceleration || words.have(Self.gyroscopeWords) && words.have(Self.magnetometerWords) {
                return nil
            }
        case .gravity:
            guard words.isSingle || words.endWithGravity else { return nil }
        case .orientation, .barometer:
            guard words.isSingle else { return nil }
        case .position: return nil
        }
        self = kind
    }

    /// The kind that a unit states, such as `rad/s`; nil for a unit of acceleration or of something else.
    package init?(unit: String) {
        guard let kind = Self.knownUnits.result(of: unit, SensorWords.kind(ofUnit:)) else { return nil }
        self = kind
    }

    private init?(_ words: SensorWords) {
        let tests: [(kind: SensorKind, isNamed: (SensorWords) -> Bool)] = [
            (.gyroscope, { $0.have(Self.gyroscopeWords) }), (.magnetometer, { $0.have(Self.magnetometerWords) }),
            (.linearAcceleration, \.lackGravity), (.gravity, \.nameGravityAlone),
            (.accelerometer, \.haveAcceleration), (.orientation, { $0.have(Self.orientationWords) }),
            (.barometer, { $0.have(Self.barometerWords) }), (.position, { $0.have(Self.positionWords) }),
        ]
        guard let first = tests.first(where: { $0.isNamed(words) }) else { return nil }
        self = first.kind
    }

    private static let gyroscopeWords = Vocabulary(
        words: ["gyr", "angvel"],
        stems: [
            "gyro", "giroscop", "girosk", "zyroskop", "jiroskop", "rotationrate", "rateofrotation", "rateofturn",
            "turnrate", "angularvel", "angularrate", "angularspeed", "drehrate", "drehgeschwind", "rotationsrate",
            "winkelgeschw", "vitesseangulaire", "vitessederotation", "tauxderotation", "velocitaangolare",
            "velocitadirotazione", "velocidadangular", "velocidadderotacion", "velocidadeangular",
            "velocidadederotacao", "hoeksnelheid", "rotatiesnelheid", "predkosckatowa", "uhlovarychlost",
            "vinkelhastig", "acisalhiz", "гироскоп", "угловаяскорость", "γυροσκοπ", "ジャイロ", "角速度", "陀螺",
            "자이로", "각속도",
        ])
    private static let magnetometerWords = Vocabulary(
        words: ["mag", "compass", "kompass", "kompas", "boussole", "bussola", "brujula"],
        stems: ["magnet", "manyet", "магнит", "μαγνητ", "磁", "지자기", "자력계"])
    private static let orientationWords = Vocabulary(
        // From "quat" on, those of sketches, such as ypr in that of the MPU-6050.
        words: ["attitude", "quaternion", "euler", "quat", "ypr", "rpy", "yaw", "pitch", "roll", "angle", "angles"],
        stems: [
            "orientation", "orientier", "orientacion", "orientamento", "orientacao", "orientatie", "orientacja",
            "orientace", "ориентаци",
        ])
    private static let barometerWords = Vocabulary(
        words: ["pressure", "luftdruck", "pression", "pressione", "presion", "pressao", "luchtdruk", "cisnienie"],
        stems: ["baromet", "airpressure", "атмосферноедавление", "気圧", "气压", "氣壓", "기압"])
    private static let positionWords = Vocabulary(
        words: ["lat", "lon", "lng"],
        stems: [
            "latitud", "longitud", "breitengrad", "langengrad", "breedtegraad", "lengtegraad", "широта", "долгота",
            "緯度", "経度", "纬度", "经度", "위도", "경도",
        ])
}

/// Whole words, and stems that may stand anywhere in the text.
private struct Vocabulary {
    var words: Set<String>
    var stems: [[UInt8]]

    init(words: Set<String> = [], stems: [String]) {
        self.words = words
        self.stems = stems.map { Array($0.utf8) }
    }
}

/// The words of a text in lower case, without accents.
private struct SensorWords {
    private let words: [String]
    /// The words without anything between them.
    private let joined: [UInt8]
    private var inBrackets: String?

    init(_ text: String) {
        var folded = ""
        var wasLower = false
        for character in text {
            // camelCase has several words.
            if wasLower, character.isUppercase { folded.append(" ") }
            wasLower = character.isLowercase
            folded += character.lowercased().map { String(Self.unaccented[$0] ?? $0) }.joined()
        }
        words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        joined = Array(words.joined().utf8)
        if let open = folded.lastIndex(where: { "([{".contains($0) }) {
            inBrackets = String(folded[folded.index(after: open)...].prefix { !")]}".contains($0) })
        }
    }

    func have(_ vocabulary: Vocabulary) -> Bool {
        words.contains(where: vocabulary.words.contains) || vocabulary.stems.contains { place(of: $0) != nil }
    }

    /// Whether one word remains beside numbers and words that suit every sensor.
    var isSingle: Bool {
        words.count { !$0.allSatisfy(\.isNumber) && !["data", "raw", "sensor", "log", "uncalibrated"].contains($0) }
            == 1
    }

    /// Whether the last word names gravity, as in `sensorlogger-Gravity`.
    var endWithGravity: Bool {
        words.last.map { last in Self.gravityStems.contains { $0.elementsEqual(last.utf8) } } ?? false
    }

    // MARK: Acceleration

    /// The first byte of a word for acceleration.
    private var accelerationPlace: Int? {
        if let place = place(of: Self.accelerationStems) { return place }
        var start = 0
        for word in words {
            if word.hasPrefix("acc"), !["accu", "acce", "acco"].contains(where: word.hasPrefix) { return start }
            start += word.utf8.count
        }
        return nil
    }

    var haveAcceleration: Bool { accelerationPlace != nil }

    /// Whether gravity is removed from the acceleration.
    var lackGravity: Bool {
        if place(of: Self.withoutGravityStems) != nil { return true }
        let isWithoutG = zip(words, words.dropFirst()).contains { Self.withoutWords.contains($0) && $1 == "g" }
        if isWithoutG { return true }
        guard haveAcceleration else { return words.contains(where: Self.linearWords.contains) }
        return place(of: Self.linearStems) != nil || words.contains { $0 == "lin" || $0.hasPrefix("linacc") }
    }

    /// Whether gravity is named, but no acceleration that includes it.
    var nameGravityAlone: Bool {
        guard let gravity = place(of: Self.gravityStems) ?? (words.contains("grav") ? 0 : nil) else { return false }
        if words.contains(where: Self.withWords.contains) || place(of: Self.withStems) != nil { return false }
        // “Acceleration gravity” may include gravity. “Gravity acceleration” is the acceleration of gravity.
        return accelerationPlace.map { gravity < $0 } ?? true
    }

    private static let accelerationStems = stems([
        "accel", "beschleunig", "versnelling", "aceler", "przyspiesz", "akcelero", "zrychlen", "akselero", "ivmeolcer",
        "ускорен", "акселеро", "επιταχ", "加速度", "가속도",
    ])
    private static let linearStems = stems([
        "linear", "lineaire", "lineair", "lineal", "liniow", "линейн", "線形", "线性", "線性", "선형", "useracc", "bodyacc",
    ])
    /// Words that need none for acceleration beside them; all but the first are those of the MPU-6050's sketch.
    private static let linearWords: Set<String> = ["linear", "areal", "aworld", "aareal", "aaworld"]
    private static let withoutWords: Set<String> = [
        "without", "no", "excl", "excluding", "ohne", "sans", "zonder", "senza", "sin", "sem", "bez", "utan", "uden",
    ]
    private static let withoutGravityStems = stems([
        "nogravity", "wogravity", "exclgrav", "withoutgrav", "excludinggrav", "gravityremoved", "gravityfree",
        "minusgravity", "ohneschwer", "ohnegrav", "ohneerd", "sansgrav", "sanspesanteur", "lapesanteur",
        "zonderzwaarte", "senzagrav", "singravedad",
        "semgravidade", "bezgrawitacji", "bezgravitace", "utangravitation", "重力なし", "重力を除", "不含重力", "无重力",
        "無重力", "不含g", "безгравит",
    ])
    private static let gravityStems = stems([
        "gravity", "gravita", "schwerkraft", "schwerebeschl", "erdbeschl", "gravite", "pesanteur", "zwaartekracht",
        "gravedad", "gravidade", "grawitac", "tyngdekraft", "tyngdkraft", "tyngdeakse", "гравитац", "βαρυτητ", "重力",
        "중력",
    ])
    private static let withWords: Set<String> = [
        "with", "incl", "including", "inkl", "mit", "avec", "met", "con", "com", "med",
    ]
    private static let withStems = stems(["including", "withgravity", "inklusive", "含", "込"])

    // MARK: Units

    /// The kind that the text in brackets or the last words state as a unit.
    var unit: SensorKind? {
        if let inBrackets, let kind = Self.kind(ofUnit: inBrackets) { return kind }
        return [words.suffix(1), words.suffix(2)].lazy
            .compactMap { Self.kind(ofUnit: $0.joined(separator: "/")) }.first { $0 != .orientation }
    }

    static func kind(ofUnit text: String) -> SensorKind? {
        let plain = String(
            text.lowercased().compactMap { unaccented[$0] ?? $0 }.filter { !" _[](){}./*·^".contains($0) })
        switch plain {
        case "rads", "radsec", "radsecond", "rads-1", "rads⁻¹", "mrads", "degs", "degsec", "degsecond", "degs-1",
            "degrees", "degreess", "degreessec", "degreessecond", "degreespersecond", "°s", "°sec", "ºs", "°s-1",
            "°s⁻¹", "dps", "mdps", "grads", "gradis", "gradoss", "grauss", "degress", "radianss", "radianssecond",
            "radianspersecond", "rpm":
            // “degrees” without a time is an angle.
            return plain == "degrees" && !text.contains(where: { "/._ ".contains($0) }) ? .orientation : .gyroscope
        case "ut", "utesla", "microtesla", "microteslas", "mt", "millitesla", "tesla", "nt", "nanotesla", "gauss",
            "mgauss", "milligauss":
            return .magnetometer
        case "hpa", "kpa", "pa", "mbar", "mmhg": return .barometer
        case "°", "º", "deg", "degree", "rad", "radian", "radians": return .orientation
        default: return nil
        }
    }

    // MARK: Search

    private static func stems(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private func place(of stems: [[UInt8]]) -> Int? { stems.lazy.compactMap { place(of: $0) }.min() }

    private func place(of stem: [UInt8]) -> Int? {
        guard let first = stem.first, stem.count <= joined.count else { return nil }
        return (0...joined.count - stem.count).first { start in
            joined[start] == first && joined[start..<start + stem.count].elementsEqual(stem)
        }
    }

    private static let unaccented: [Character: Character] = {
        let letters = [
            "a": "áàâäãåąæ", "c": "ćčç", "d": "ďđ", "e": "éèêëęěė", "g": "ğ", "i": "íìîïı", "l": "łľ", "n": "ńñň",
            "o": "óòôöõøő", "r": "řŕ", "s": "śšş", "t": "ťţ", "u": "úùûüůűµμ", "y": "ýÿ", "z": "źžż", "α": "ά",
            "ε": "έ", "η": "ή", "ι": "ί", "ο": "ό", "υ": "ύ", "ω": "ώ",
        ]
        var table: [Character: Character] = [:]
        for (plain, accented) in letters {
            for letter in accented { table[letter] = Character(plain) }
        }
        return table
    }()
}
