/// The weights of a trained network. A notebook writes them to a file, which the compiler embeds. The file has the
/// letters FOOT, the version of the network, the number of its tables and the size of each as 32-bit integers, and then
/// the numbers of all tables as 32-bit floats, all little-endian.
package struct NetworkWeights: Sendable {
    private let tables: [[Float]]

    /// Reads the bytes of a file, of a version and with the sizes of tables that the code is written for. Other bytes
    /// end the process. They are part of the library, and every test of the network reads them.
    package init(_ file: [UInt8], version: UInt32, sizes: [Int]) {
        let bytes = file.span.bytes
        func integer(_ index: Int) -> UInt32 {
            UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        let header = [0x544F_4F46, version, UInt32(sizes.count)] + sizes.map(UInt32.init)
        let isWhole = bytes.byteCount == 4 * (header.count + sizes.reduce(0, +))
        precondition(
            isWhole && header.indices.allSatisfy { integer($0) == header[$0] },
            "the weights of a network are not those that the code is written for; write them again with its notebook")
        var next = header.count
        tables = sizes.map { size in
            defer { next += size }
            return (next..<next + size).map { Float(bitPattern: integer($0)) }
        }
    }

    /// The numbers of a table.
    package subscript(table: Int) -> [Float] { tables[table] }
}

/// The weights of ``ActivityClassifier`` and of the probabilities of activities, version 7.
enum ActivityWeights {
    /// Of 16 features, 72 hidden units and six classes.
    private static let file = NetworkWeights(
        PackageResources.activity_weights, version: 7, sizes: [16, 16, 16 * 72, 72, 72 * 6, 6, 6, 3 * 5, 2])

    /// The mean and the standard deviation of each feature over the training data.
    static let mean = file[0]
    static let scale = file[1]
    /// The weights of the hidden units, a row of units for each feature, and the bias of each unit.
    static let hidden = file[2]
    static let hiddenBias = file[3]
    /// The weights of the classes, a row of classes for each hidden unit, and the bias of each class.
    static let output = file[4]
    static let outputBias = file[5]
    /// The log-probability of each class in a quiet window.
    static let quiet = file[6]
    /// For each class but the last: constant, weight of the posterior, weight of the evidence, as log-odds.
    static let confidence = file[7]
    /// The least probabilities of high and of medium confidence.
    static let highConfidence = file[8][0]
    static let mediumConfidence = file[8][1]
}
