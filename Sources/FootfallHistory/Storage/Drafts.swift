internal import Foundation
internal import Synchronization

/// The unfinished files of all commands, each in the folder of the path that it takes at its end. A process that is
/// killed leaves its drafts. The next one that writes in the folder removes them. The owner of a draft holds a lock on
/// it (flock), which ends with the process.
package enum Drafts {
    private static let prefix = ".footfall-"
    private static let digits = Set("0123456789abcdefghijklmnopqrstuvwxyz")
    /// The digits of the largest random number.
    private static let mostDigits = 13
    /// The age in seconds from which a draft without a lock has no owner. An owner takes its lock within milliseconds.
    /// On a file system without locks, drafts stay.
    private static let leastAge = 1.0
    /// How often, and after how many microseconds, a younger draft is tried again: until it has the age.
    private static let (attempts, attemptMicroseconds): (Int, UInt32) = (12, 100_000)

    /// The folders that this process has tidied.
    private static let tidied = Mutex<Set<String>>([])

    /// A new random name.
    package static var name: String { prefix + String(UInt64.random(in: .min ... .max), radix: 36) }

    /// Marks a new draft as owned until its descriptor is closed.
    package static func own(_ descriptor: Int32) { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Removes the drafts in a folder whose owners have ended, once in each process.
    package static func tidy(_ folder: String) {
        guard tidied.withLock({ $0.insert(folder).inserted }),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return }
        for name in names where isDraft(name) { removeAbandoned(folder + "/" + name) }
    }

    private static func isDraft(_ name: String) -> Bool {
        let random = name.dropFirst(prefix.count)
        return name.hasPrefix(prefix) && (1...mostDigits).contains(random.count) && random.allSatisfy(digits.contains)
    }

    private static func removeAbandoned(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        for _ in 0..<attempts {
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { return }
            let changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let changed, -changed.timeIntervalSinceNow > leastAge { return Companions.removeDraft(path) }
            flock(descriptor, LOCK_UN)
            usleep(attemptMicroseconds)
        }
    }
}
