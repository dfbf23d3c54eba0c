internal import FootfallText
internal import FootfallTraces
internal import Foundation

/// A sensor log named on the command line, or found in a folder named there.
package struct TraceFile: Hashable, Sendable {
    /// The path, as given on the command line.
    package let path: String
    /// The name in results: the path below the folder on the command line, or the last component. If several folders
    /// are named, it starts with the name of the folder.
    package let name: String
    /// The size in bytes; 0 if it is unknown.
    package let size: Int

    /// Creates a log. In results, a name that is not UTF-8 becomes Latin-1.
    package init(path: String, name: String, size: Int) {
        (self.path, self.name, self.size) = (path, FilePath.shown(name), size)
    }

    /// Whether the log is a file or a folder, and not a pipe.
    package var canBeReadAgain: Bool {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        let type = attributes?[.type] as? FileAttributeType
        return type == .typeRegular || type == .typeDirectory
    }

    /// The name without its extensions, such as `.csv.gz`: the source that `--source-from name` chooses, and the folder
    /// of the tables.
    package var stem: String { name.traceStem }
}
