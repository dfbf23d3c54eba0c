internal import Footfall

/// Archives and folders of tables, as phone apps export them.
package enum PhoneExport {
    /// The preferred tables, in lower case: acceleration with gravity of Sensor Logger and phyphox. Sensor Logger's
    /// `Accelerometer.csv` has no gravity, so it comes after them. `ACC.csv` is that of the Empatica E4.
    private static let names = [
        "totalacceleration.csv", "accelerometeruncalibrated.csv", "raw data.csv", "accelerometer.csv", "acc.csv",
    ]

    /// The member with the acceleration, by its name; nil if there is none.
    static func acceleration<Container: LogContainer>(of container: Container) -> Container.Member? {
        names.lazy.compactMap { container.member(named: $0) }.first
    }

    /// The member of an archive that holds the samples.
    ///
    /// - Throws: ``Refusal`` when there is none, or more than one candidate.
    static func member(of archive: ZipArchive) throws(Refusal) -> ZipArchive.Member {
        if let member = acceleration(of: archive) { return member }
        let office = [
            "workbook.xml": "a spreadsheet", "document.xml": "a text document", "content.xml": "an OpenDocument file",
        ]
        for (name, kind) in office where archive.member(named: name) != nil {
            throw Refusal("\(kind), not a sensor log", remedy: "save it as CSV")
        }
        let members = archive.members.filter { member in
            // Metadata of macOS, hidden files, and metadata of phyphox.
            !member.name.hasPrefix("__MACOSX/") && !member.fileName.hasPrefix(".") && !member.name.hasPrefix("meta/")
        }
        if let only = members.first, members.count == 1 { return only }
        guard !members.isEmpty else { throw Refusal("a ZIP archive with nothing in it that can be read") }
        let list = members.prefix(6).map(\.name).joined(separator: ", ") + (members.count > 6 ? ", …" : "")
        throw Refusal(
            "a ZIP archive of several files, none of which is known to be the acceleration: \(list)",
            remedy: "unpack it and name one of them")
    }

    /// The member with the gravity that Sensor Logger removed from `member`, whose content is `source`; nil if there is
    /// none.
    static func gravity<Container: LogContainer>(
        apartFrom member: Container.Member, _ source: borrowing LineSource, of container: Container
    ) -> Container.Member? {
        // In an export of phyphox, this name includes gravity.
        guard member.fileName.lowercased() == "accelerometer.csv",
            source.starts(with: Array("time,seconds_elapsed,".utf8))
        else { return nil }
        return container.member(named: "gravity.csv")
    }

    /// The moment of time 0 in the tables of phyphox, from `meta/time.csv`; nil if it is missing.
    ///
    /// Its rows are an event, the time in the tables, and seconds since 1970. The first `START` counts.
    static func start(of container: some LogContainer) throws(TraceError) -> Timestamp? {
        guard let content = try container.content(of: "time.csv") else { return nil }
        for line in String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let delimiter: Character = line.contains("\t") ? "\t" : line.contains(";") ? ";" : ","
            let fields = line.split(separator: delimiter).map { $0.filter { $0 != "\"" } }
            guard fields.count >= 3, fields[0].uppercased() == "START" else { continue }
            func number(_ text: String) -> Double? {
                Double(delimiter == "," ? text : String(text.map { $0 == "," ? "." : $0 }))
            }
            guard let time = number(fields[1]), let moment = number(fields[2]) else { return nil }
            return Timestamp(secondsSince1970: moment - time)
        }
        return nil
    }

    /// The files and folders of an unpacked export that are read with its acceleration, or hold no samples; empty for
    /// another folder.
    ///
    /// - Parameter files: The names in a folder.
    package static func files(besideAccelerationIn files: [String]) -> Set<String> {
        let present = Dictionary(files.map { ($0.lowercased(), $0) }) { first, _ in first }
        guard let acceleration = names.first(where: { present[$0] != nil }),
            ["gravity.csv", "metadata.csv", "meta"].contains(where: { present[$0] != nil })
                || sensorLoggerTwins.allSatisfy({ present[$0] != nil })
        else { return [] }
        let parts = names.filter { $0 != acceleration } + otherParts
        return Set(parts.compactMap { present[$0] })
    }

    /// The same accelerometer, twice.
    private static let sensorLoggerTwins = ["totalacceleration.csv", "accelerometeruncalibrated.csv"]
    /// What Sensor Logger writes beside the motion sensors, and the metadata of both apps.
    private static let otherParts = [
        "gravity.csv", "metadata.csv", "annotation.csv", "meta", "activity.csv", "battery.csv", "bluetooth.csv",
        "brightness.csv",
        "camera.csv", "compass.csv", "heartrate.csv", "light.csv", "location.csv", "locationgps.csv",
        "locationnetwork.csv",
        "microphone.csv", "network.csv", "pedometer.csv", "studymetadata.csv", "wrist.csv",
    ]
}
