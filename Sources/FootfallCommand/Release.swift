/// The released version of the command.
enum Release {
    static let version = "0.1.0"
}
