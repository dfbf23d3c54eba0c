public import Footfall

extension StepLength {
    /// The length of the leg as a share of the body height. It is the height of the hip joint in D. A. Winter,
    /// Biomechanics and Motor Control of Human Movement, Wiley, 2009, after Drillis and Contini.
    private static let legShareOfHeight = 0.53
    /// The ratio of a step to the step of the pendulum: the correction of Zijlstra and Hof. A step is longer, because
    /// the foot rolls and the pelvis turns.
    private static let pendulumFactor = 1.25

    /// Creates an estimate from the vertical excursion of the lower back, which an accelerometer there measures.
    ///
    /// The model is an inverted pendulum as long as the leg, l, with the lower back on top. A step of length
    /// 2 √(2 l h − h²) raises and lowers the lower back by h. The factor 1.25 corrects for what the model leaves out.
    ///
    /// W. Zijlstra and A. L. Hof, Assessment of spatio-temporal gait parameters from trunk accelerations during human
    /// walking, Gait & Posture 18(2), 2003, pages 1–10. On people, the estimate is too long for short steps and in
    /// turns.
    ///
    /// - Parameters:
    ///   - verticalExcursion: The difference between the highest and the lowest position in a step, in metres, as in
    ///     ``GaitMeasures/verticalExcursion``.
    ///   - heightMetres: The height of the body, in metres.
    public init(verticalExcursion: Double, heightMetres: Double) {
        let squared =
            2 * Self.legShareOfHeight * heightMetres * verticalExcursion - verticalExcursion * verticalExcursion
        self.init(metres: Self.pendulumFactor * 2 * max(0, squared).squareRoot())
    }
}
