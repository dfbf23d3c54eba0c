internal import Foundation

/// Named files that belong together: the members of a ZIP archive, or the files of a folder.
protocol LogContainer {
    associatedtype Member: ContainerMember
    /// The path of the archive or folder.
    var path: String { get }
    /// The member with this name in lower case; nil when there is none.
    func member(named name: String) -> Member?
    /// Opens a member.
    func open(_ member: Member) throws(TraceError) -> ByteSource
}

/// A file in a container.
protocol ContainerMember {
    /// Its path inside the container.
    var name: String { get }
}

extension ContainerMember {
    /// The name without the folders it is in.
    var fileName: Substring { name.split(separator: "/").last ?? "" }
}

extension LogContainer {
    /// The content of a small member, cut after 1 MiB; nil when there is none of that name.
    func content(of name: String) throws(TraceError) -> [UInt8]? {
        guard let member = member(named: name) else { return nil }
        var source = try open(member)
        let longest = 1 << 20
        var content = [UInt8](repeating: 0, count: longest)
        var space = content.mutableSpan
        let count = try source.read(into: &space, at: 0..<longest)
        content.removeLast(longest - count)
        return content
    }
}

/// A folder as a container of its files, and of the times in its folder `meta`, as in exports of phyphox.
struct LogFolder: LogContainer {
    struct Member: ContainerMember {
        let name: String
    }

    let path: String

    /// The folder at `path`; nil for a file.
    init?(at path: String) {
        guard FilePath.names(in: path) != nil else { return nil }
        self.path = path
    }

    /// The folder of a file.
    init(of file: String) {
        path = URL(filePath: file).deletingLastPathComponent().relativePath
    }

    func member(named name: String) -> Member? {
        let folder = name == "time.csv" ? "meta/" : ""
        let files = FilePath.names(in: path + "/" + folder) ?? []
        return files.first { $0.lowercased() == name }.map { Member(name: folder + $0) }
    }

    func open(_ member: Member) throws(TraceError) -> ByteSource {
        try ByteSource(path: path + "/" + member.name)
    }
}
