internal import FootfallMeasures
internal import FootfallTables

extension TableField<DailyRhythm> {
    /// The columns of a person.
    static let ofRhythm: [TableField] = [
        .number(
            "interdailyStability", nil, decimals: 4,
            "The share of the variance of hourly ENMO that the hour of the clock explains, 0 to 1, over all days."
        ) { $0.interdailyStability },
        .number(
            "intradailyVariability", nil, decimals: 4,
            "The mean square of the change of ENMO from hour to hour, by its variance, over all days."
        ) { $0.intradailyVariability },
        .number("cosineMesorMg", "mg", decimals: 2, "The mesor of the cosine of 24 h that fits hourly ENMO best.") {
            $0.cosine?.mesorMg
        },
        .number("cosineAmplitudeMg", "mg", decimals: 2, "The amplitude of that cosine.") { $0.cosine?.amplitudeMg },
        .number(
            "cosineAcrophaseHours", "h", decimals: 3,
            "The time of the clock at which that cosine is highest, since midnight."
        ) { $0.cosine?.acrophaseHours },
        .number(
            "cosineRSquared", nil, decimals: 4,
            "The share of the variance of hourly ENMO that the cosine explains, 0 to 1."
        ) { $0.cosine?.rSquared },
    ]
}
