import Footfall
import FootfallHistory
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A history file")
struct FileTests {
    private func bytes(_ url: URL) throws -> Data { try Data(contentsOf: url) }

    private func reason(_ open: () throws -> MotionHistory) -> HistoryError.Reason? {
        do {
            _ = try open()
            return nil
        } catch {
            return (error as? HistoryError)?.reason
        }
    }

    private func expectRefusal(_ url: URL, _ expected: HistoryError.Reason) throws {
        let before = try? bytes(url)
        #expect(reason { try MotionHistory(at: url) } == expected)
        #expect((try? bytes(url)) == before)
    }

    private func recorded(in folder: Folder, seconds: Int64 = 20000) throws -> URL {
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<seconds), from: "wrist", timeZone: .gmt)
        return folder.history
    }

    @Test("that is a text, another database, a folder or missing is rejected and stays unchanged")
    func foreign() throws {
        let folder = try Folder()
        let text = try folder.write("notes.txt", Data(String(repeating: "a walk in the park\n", count: 99).utf8))
        let other = folder.url.appendingPathComponent("other.sqlite")
        try DatabaseQueue(path: other.path).write {
            try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        }
        for url in [text, other, folder.url, try folder.write("short", Data("SQLite".utf8))] {
            try expectRefusal(url, .foreign)
            #expect(reason { try MotionHistory(reading: url) } == .foreign)
        }
        #expect(reason { try MotionHistory(reading: folder.history) } == .missing)
        #expect(!FileManager.default.fileExists(atPath: folder.history.path))
        let nowhere = folder.url.appendingPathComponent("no/such/folder.sqlite")
        #expect(reason { try MotionHistory(at: nowhere) } == .missing)
    }

    @Test("of a newer version is rejected and stays unchanged")
    func newer() throws {
        let folder = try Folder()
        let url = try recorded(in: folder, seconds: 10)
        try DatabaseQueue(path: url.path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        try expectRefusal(url, .newerVersion(99))
        #expect(reason { try MotionHistory(reading: url) } == .newerVersion(99))
    }

    @Test("with damaged or missing pages is rejected and stays unchanged", arguments: [1, 5, 20, -1])
    func damaged(page: Int) throws {
        let folder = try Folder()
        let url = try recorded(in: folder)
        var content = try bytes(url)
        if page > 0 {
            content.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
        } else {
            content = content.prefix(content.count / 2)
        }
        try content.write(to: url)
        try expectRefusal(url, .damaged)
        // A reader does not check all pages when it opens the file. It throws when it reads a damaged page.
        do {
            let history = try MotionHistory(reading: url)
            _ = try history.activities(in: Timestamp.supported)
            _ = try history.stepTimes(in: Timestamp.supported)
            _ = try history.summary(of: Timestamp.supported)
        } catch {
            #expect((error as? HistoryError)?.reason == .damaged)
        }
        #expect(try bytes(url) == content)
    }

    @Test("and its companion files are accessible only to their owner")
    func mode() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let path = folder.url.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("that is removed while it is open is an error at the next call")
    func removed() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        let reader = try MotionHistory(reading: folder.history)
        try FileManager.default.removeItem(at: folder.history)
        #expect(throws: HistoryError(.missing, at: folder.history)) {
            try history.record(Recordings.walk(100..<200), from: "wrist")
        }
        #expect(throws: HistoryError(.missing, at: folder.history)) {
            try reader.steps(in: Timestamp.supported)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.history.path))
    }

    @Test("that is closed is an error at the next call, as is a closed history in memory", arguments: [false, true])
    func closed(isInMemory: Bool) async throws {
        let folder = try Folder()
        let history = try isInMemory ? MotionHistory.inMemory() : MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        history.close()
        let error = HistoryError(.other("the history is closed"), at: history.url)
        #expect(throws: error) { try history.steps(in: Timestamp.supported) }
        #expect(throws: error) { try history.record(Recordings.walk(100..<200), from: "wrist") }
        #expect(throws: error) { try history.exportLines { _ in } }
        await #expect(throws: error) { for try await _ in history.revisions() {} }
        #expect(throws: HistoryError(error.reason, at: folder.history)) { try history.copy(to: folder.history) }
    }

    @Test("that is open for reading rejects recordings")
    func readOnly() throws {
        let folder = try Folder()
        let reader = try MotionHistory(reading: recorded(in: folder, seconds: 10))
        #expect(throws: HistoryError(.readOnly, at: folder.history)) {
            try reader.record(Recordings.walk(0..<1), from: "wrist")
        }
    }

    /// Changes an attribute of a folder and of the history in it. Returns the exit status of the command.
    private func chattr(_ attribute: String, _ folder: Folder) throws -> Int32 {
        try shell("chattr \(attribute) '\(folder.url.path)' '\(folder.history.path)'").status
    }

    @Test("in a read-only folder can be read, but not written or created")
    func readOnlyFolder() throws {
        let folder = try Folder()
        _ = try recorded(in: folder, seconds: 10)
        // Root may write to a file of any mode, but not to an immutable one.
        guard try chattr("+i", folder) == 0 else {
            withKnownIssue("this file system has no immutable folders, and the user may be root") {
                Issue.record("not tested")
            }
            return
        }
        defer { _ = try? chattr("-i", folder) }
        #expect(try MotionHistory(reading: folder.history).steps(in: Timestamp.supported).count == 20)
        try expectRefusal(folder.history, .notPermitted)
        let another = folder.url.appendingPathComponent("another.sqlite")
        #expect(reason { try MotionHistory(at: another) } == .notPermitted)
    }

    @Test("that its reader may not write gets no companions of the reader, who has what is recorded later")
    func ofAnotherOwner() throws {
        let folder = try Folder()
        let path = try recorded(in: folder, seconds: 10).path
        func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) }
        // Root may write to a file of any mode, but not to an immutable one.
        func protect() throws -> Bool {
            _ = try shell("chmod 400 '\(path)'; chattr +i '\(path)'")
            return access(path, W_OK) != 0
        }
        func unprotect() throws { _ = try shell("chattr -i '\(path)'; chmod 600 '\(path)'") }
        defer { try? unprotect() }
        guard try protect() else {
            withKnownIssue("root may write, and this file system has no immutable files") {
                Issue.record("not tested")
            }
            return
        }
        let reader = try MotionHistory(reading: folder.history)
        #expect(try reader.steps(in: Timestamp.supported).count == 20)
        #expect(try names() == ["history.sqlite"])
        try unprotect()
        let recorder = try MotionHistory(at: folder.history)
        try recorder.record(Recordings.walk(10..<20), from: "wrist")
        #expect(try protect())
        let before = try names()
        #expect(try reader.steps(in: Timestamp.supported).count == 40)
        #expect(try MotionHistory(reading: folder.history).steps(in: Timestamp.supported).count == 40)
        #expect(try names() == before)
        try unprotect()
        try recorder.record(Recordings.walk(20..<30), from: "wrist")
        #expect(try reader.steps(in: Timestamp.supported).count == 60)
    }

    @Test("is created where a symbolic link leads, and replaces no link")
    func links() throws {
        let folder = try Folder()
        for (link, target) in [("link", "other"), ("other", "disk/history"), ("nowhere", "nothing"), ("loop", "loop")] {
            symlink(target, folder.path(link))
        }
        let link = folder.url.appending(path: "link")
        #expect(reason { try MotionHistory(at: link) } == .missing)
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
        let history = try MotionHistory(at: link)
        try history.record(Recordings.walk(0..<10), from: "wrist")
        #expect(throws: HistoryError.self) { try history.copy(to: folder.url.appending(path: "nowhere")) }
        #expect(throws: HistoryError.self) { try MotionHistory(at: folder.url.appending(path: "loop")) }
        history.close()
        #expect(try MotionHistory(reading: folder.url.appending(path: "disk/history")).sources().count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["disk", "link", "loop", "nowhere", "other"])
        let manager = FileManager.default
        let links = names.filter { (try? manager.destinationOfSymbolicLink(atPath: folder.path($0))) != nil }
        #expect(links == ["link", "loop", "nowhere", "other"])
    }

    @Test("is created without a change to files with similar names")
    func neighbors() throws {
        let folder = try Folder()
        let other = try MotionHistory(at: folder.url.appending(path: "history.sqlite-new"))
        try other.record(Recordings.walk(0..<100), from: "wrist")
        other.close()
        let victim = try folder.write("victim", Data("precious".utf8))
        symlink(victim.path, folder.history.path + "-lock")
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<10), from: "wrist")
        history.close()
        #expect(try bytes(victim) == Data("precious".utf8))
        let neighbor = try MotionHistory(reading: folder.url.appending(path: "history.sqlite-new"))
        #expect(try neighbor.steps(in: Timestamp.supported).count == 200)
    }

    /// The POSIX locks on the history in the list of the system.
    private func locks(_ folder: Folder) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.history.path)
        let inode = try #require(attributes[.systemFileNumber] as? Int)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .count { $0.contains("POSIX") && $0.contains(":\(inode) ") }
    }

    @Test("keeps the locks of its writer when the same process closes a reader", .enabled(if: exists("/proc/locks")))
    func posixLocks() throws {
        let folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<100), from: "wrist")
        let before = try locks(folder)
        #expect(before > 0)
        try MotionHistory(reading: folder.history).close()
        #expect(throws: HistoryError.self) { try MotionHistory(at: folder.history) }
        #expect(try locks(folder) == before)
        history.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["history.sqlite"])
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("error names the file, the problem and the remedy")
    func errors() {
        let url = URL(fileURLWithPath: "/home/me/history.sqlite")
        let error = HistoryError(.locked(by: .init(process: 4711, sources: ["wrist"])), at: url)
        #expect(
            error.description == "/home/me/history.sqlite: another writer has the history open, process 4711, which "
                + "records wrist. Stop that writer, or wait until it ends.")
        let empty = HistoryError(.unknownSource("wrist", known: []), at: nil)
        #expect(empty.description.hasSuffix("no source named wrist; nothing is recorded yet. Record it first."))
    }
}
