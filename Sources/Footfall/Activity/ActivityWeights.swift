/// The weights of ``ActivityClassifier`` and of the probabilities of activities, version 6.
enum ActivityWeights {
    /// Of 16 features, 72 hidden units and six classes.
    private static let file = NetworkWeights(
        PackageResources.activity_weights, version: 6, sizes: [16, 16, 16 * 72, 72, 72 * 6, 6, 6, 3 * 5, 2])

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
