import Foundation

/// A library of `Tests/Soak` that changes system calls of a command, by LD_PRELOAD.
package enum PreloadedLibrary {
    /// Whether there is a C compiler.
    package static var canBeBuilt: Bool { (try? shell("command -v cc clang").output.isEmpty) == false }

    /// Compiles a library. Returns its path.
    package static func build(_ name: String, in folder: Folder) throws -> String {
        let (source, library) = (
            PackageFolder.url.appending(path: "Tests/Soak/\(name).c").path, folder.path(name + ".so")
        )
        let run = try shell("$(command -v cc || command -v clang) -shared -fPIC -o '\(library)' '\(source)' -ldl")
        guard run.status == 0 else { throw CocoaError(.executableLoad) }
        return library
    }
}
