/// Formats that are recognised but not read, so that the error names them.
enum ForeignFormat {
    /// - Throws: ``Refusal`` for such a format.
    static func check(_ source: borrowing LineSource) throws(Refusal) {
        let bytes = source.bytes.span.extracting(source.unread)
        if bytes.has(Array("GENEA/".utf8), at: 0) {
            throw Refusal(
                "a GENEA recording, the forerunner of GENEActiv, which Footfall does not read",
                remedy: "convert it to a table of time,x,y,z, for example with the R package GGIRread")
        }
        if [0, 512].contains(where: { bytes.has(Array("MDTC".utf8), at: $0) }) {
            throw Refusal(
                "a Parmay Matrix recording, which Footfall does not read",
                remedy: "convert it to a table of time,x,y,z, for example with the R package GGIRread")
        }
        // A text that begins with HA has no zero byte.
        if bytes.has(Array("HA".utf8), at: 0), (0..<min(64, bytes.count)).contains(where: { bytes[$0] == 0 }) {
            throw Refusal(
                "an Axivity OMX recording, which Footfall does not read",
                remedy: "convert it to .cwa or to a table with the manufacturer's software")
        }
    }
}
