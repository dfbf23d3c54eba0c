internal import FootfallMeasures
internal import FootfallTables

extension DailyRhythm {
    /// The columns of a person.
    static let columns: [Column] = [
        .number(
            "interdailyStability", nil,
            "The share of the variance of hourly ENMO that the hour of the clock explains, 0 to 1, over all days."),
        .number(
            "intradailyVariability", nil,
            "The mean square of the change of ENMO from hour to hour, by its variance, over all days."),
        .number("cosineMesorMg", "mg", "The mesor of the cosine of 24 h that fits hourly ENMO best."),
        .number("cosineAmplitudeMg", "mg", "The amplitude of that cosine."),
        .number("cosineAcrophaseHours", "h", "The time of the clock at which that cosine is highest, since midnight."),
        .number("cosineRSquared", nil, "The share of the variance of hourly ENMO that the cosine explains, 0 to 1."),
    ]

    /// The values of the columns.
    var record: Record {
        [
            ("interdailyStability", .number(interdailyStability, decimals: 4)),
            ("intradailyVariability", .number(intradailyVariability, decimals: 4)),
            ("cosineMesorMg", .number(cosine?.mesorMg, decimals: 2)),
            ("cosineAmplitudeMg", .number(cosine?.amplitudeMg, decimals: 2)),
            ("cosineAcrophaseHours", .number(cosine?.acrophaseHours, decimals: 3)),
            ("cosineRSquared", .number(cosine?.rSquared, decimals: 4)),
        ]
    }
}
