
/// Formats that are recognized but not read, so that the error names them.
enum ForeignFormat {
    /// - Throws: ``Refusal`` for such a format.
    static func check(_ source: borrowing LineSource) throws(Refusal) {
        let bytes = source.bytes.span.extracting(source.unread)
        for kind in kinds where bytes.has(kind.signature, at: 0) {
            throw Refusal("\(kind.name), not a sensor log", remedy: kind.remedy)
        }
        // A text that begins with HA has no zero byte.
        if bytes.has(Array("HA".utf8), at: 0), (0..<min(64, bytes.count)).contains(where: { bytes[$0] == 0 }) {
            throw Refusal(
                "an Axivity OMX recording, which Footfall does not read",
                remedy: "convert it to .cwa or to a table with the manufacturer's software")
        }
    }

    /// Files that begin with a fixed signature.
    private static let kinds: [(signature: [UInt8], name: String, remedy: ParameterText)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image", Refusal.expectation),
        ([0xFF, 0xD8, 0xFF], "a JPEG image", Refusal.expectation),
        (Array("GIF8".utf8), "a GIF image", Refusal.expectation),
        ([0x49, 0x49, 0x2A, 0x00], "a TIFF image", Refusal.expectation),
        ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image", Refusal.expectation),
        ([0x7F, 0x45, 0x4C, 0x46], "a program", Refusal.expectation),
        (Array("%PDF-".utf8), "a PDF document", Refusal.expectation),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "a spreadsheet or document of Office", "save it as CSV"),
        (Array("SQLite format 3\0".utf8), "an SQLite database", "export the samples as CSV"),
        (Array("PAR1".utf8), "a Parquet file", "convert it to CSV"),
        ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A], "an HDF5 file", "convert it to CSV"),
        (Array("MATLAB 5.0 MAT-file".utf8), "a MATLAB file", "convert it to CSV"),
        ([0x93] + Array("NUMPY".utf8), numPy.name, numPy.remedy),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive", "unpack it"),
        (Array("Rar!".utf8), "a RAR archive", "unpack it"),
        (Array("BZh".utf8), "data compressed with bzip2", "unpack it"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "data compressed with xz", "unpack it"),
        ([0x28, 0xB5, 0x2F, 0xFD], "data compressed with Zstandard", "unpack it"),
    ]

    private static let numPy: (name: String, remedy: ParameterText) = (
        name: "a NumPy array",
        remedy: "write it with numpy.savetxt('log.csv', array, delimiter=',', header='time,x,y,z', comments='')"
    )

    /// - Throws: ``Refusal`` for an archive of NumPy arrays, `.npz`.
    static func check(_ archive: borrowing ZipArchive) throws(Refusal) {
        guard !archive.members.isEmpty, archive.members.allSatisfy({ $0.name.hasSuffix(".npy") }) else { return }
        throw Refusal("\(numPy.name), not a sensor log", remedy: numPy.remedy)
    }
}
