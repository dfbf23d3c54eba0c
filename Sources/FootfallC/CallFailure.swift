internal import CFootfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation

/// Why a call of the C interface failed.
struct CallFailure: Error {
    var status = Int32(FOOTFALL_USAGE)
    var path = ""
    var line = 0
    var problem: String
    var remedy = ""

    /// A missing or invalid argument.
    init(_ problem: String, remedy: String = "") { (self.problem, self.remedy) = (problem, remedy) }

    init(_ error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as TraceError: self.init(error)
        case let error as HistoryError: self.init(error)
        default:
            self.init("\(error)")
            status = Int32(FOOTFALL_FAILURE)
        }
    }

    private init(_ error: TraceError) {
        self.init(error.problem.inC, remedy: error.remedy?.inC ?? "")
        status = Int32(error.kind == .badData ? FOOTFALL_BAD_DATA : FOOTFALL_MISSING)
        (path, line) = (error.path, error.line ?? 0)
    }

    private init(_ error: HistoryError) {
        // A program joins the file, the problem and the remedy in one line, so sentences become clauses.
        let remedy = (error.recoverySuggestion ?? "").trimmingCharacters(in: ["."])
        self.init(
            error.problem.trimmingCharacters(in: ["."]), remedy: remedy.prefix(1).lowercased() + remedy.dropFirst())
        path = error.url?.path ?? ""
        status =
            switch error.reason {
            case .missing, .notPermitted: Int32(FOOTFALL_MISSING)
            case .damaged, .foreign, .newerVersion, .malformed, .occupied: Int32(FOOTFALL_BAD_DATA)
            case .unknownSource, .severalSources, .invalidSource, .tooManyBuckets, .unkept, .unknownMark, .readOnly,
                .exists:
                Int32(FOOTFALL_USAGE)
            default: Int32(FOOTFALL_FAILURE)
            }
    }

    func write(to error: UnsafeMutablePointer<footfall_error>?) {
        guard let error else { return }
        error.pointee = footfall_error()
        error.pointee.status = status
        error.pointee.line = Int64(line)
        withUnsafeMutableBytes(of: &error.pointee.path) { path.write(to: $0) }
        withUnsafeMutableBytes(of: &error.pointee.problem) { problem.write(to: $0) }
        withUnsafeMutableBytes(of: &error.pointee.remedy) { remedy.write(to: $0) }
    }
}

extension String {
    /// Writes the text and a NUL, and cuts a longer one after its last whole scalar.
    fileprivate func write(to buffer: UnsafeMutableRawBufferPointer) {
        var count = 0
        for scalar in unicodeScalars {
            let units = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard count + units.count < buffer.count else { break }
            for unit in units {
                buffer[count] = unit
                count += 1
            }
        }
        buffer[count] = 0
    }
}

/// Throws ``CallFailure`` for a count from 2⁶³ on, such as `SIZE_MAX`. Swift imports `size_t` as a signed integer.
func checkCount(_ count: Int, _ name: String) throws {
    guard count >= 0 else {
        throw CallFailure("\(name) is \(UInt(bitPattern: count))", remedy: "write a number below 2^63")
    }
}

func status(_ error: UnsafeMutablePointer<footfall_error>?, _ body: () throws -> Int) -> Int32 {
    do {
        return Int32(try body())
    } catch let thrown {
        let failure = CallFailure(thrown)
        failure.write(to: error)
        return failure.status
    }
}

/// Runs the body of a function that returns a pointer, which is null after an error.
func pointer<Pointer>(_ error: UnsafeMutablePointer<footfall_error>?, _ body: () throws -> Pointer?) -> Pointer? {
    do {
        return try body()
    } catch let thrown {
        CallFailure(thrown).write(to: error)
        return nil
    }
}
