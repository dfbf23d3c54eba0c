import ArgumentParser
import FootfallHistory
import FootfallServer
import Foundation

/// `footfall serve`: a history over HTTP.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a history over HTTP, for programs and other machines.",
        discussion: """
            Answers the queries of 'footfall query' below /api/v1/, with the same parameters and the same JSON. The server \
            only reads; with --marks, clients that send the token add marks. It listens on this machine only, unless \
            --listen names another address; then readers need the token of --token-file. SIGINT and SIGTERM end it after \
            the open answers.

              footfall serve
              curl 'http://127.0.0.1:8321/api/v1/steps?since=today&by=hour'
              footfall serve --listen 0.0.0.0:8321 --token-file token
              footfall serve --listen unix:/run/footfall/http.sock
            """)

    @OptionGroup var history: HistoryOptions
    @OptionGroup var server: ServerOptions
    @Flag(name: [.short, .long], help: "Log the progress to standard error.") var verbose = false

    func run() throws {
        let server = try HistoryServer(
            of: history.url, at: server.addresses, access: server.access(), goal: server.goal)
        for address in server.addresses { Terminal.note("serving \(address)") }
        while !Interruption.isRequested { usleep(100_000) }
        server.stop()
    }
}

/// The address of a server, the access to it, and what its page compares with.
struct ServerOptions: ParsableArguments {
    @Option("May be repeated (default: 127.0.0.1:8321).", "address", OptionValue.listener)
    var listen: [ServerAddress] = []

    @Option("Readers need the token in this file.", "file") var tokenFile: String?
    @Flag(help: "Let everyone read who reaches the address.") var noToken = false
    @Flag(help: "Let clients that send the token mark the history.") var marks = false
    @Option("A further name of this machine; may be repeated.", "name", OptionValue.host) var host: [String] = []
    @Option("The goal of a day in steps.", "steps", OptionValue.goal) var goal: Int?

    func validate() throws {
        if tokenFile != nil, noToken {
            throw ValidationError("--token-file and --no-token exclude each other. Use only one of them.")
        }
        if marks, tokenFile == nil {
            throw ValidationError("--marks needs a token. Give --token-file.")
        }
    }

    /// Whether any of the options is given.
    var isGiven: Bool { !listen.isEmpty || tokenFile != nil || noToken || marks || !host.isEmpty || goal != nil }

    var addresses: [ServerAddress] { listen.isEmpty ? [.local] : listen }

    func access() throws -> ServerAccess {
        ServerAccess(token: try tokenFile.map(ServerAccess.token), isOpen: noToken, hostNames: host, takesMarks: marks)
    }
}
