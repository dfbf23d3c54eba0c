footfall_analyze <- function(x, xyz = NULL, unit = NULL, columns = NULL, rows = NULL, zero = NULL, time_unit = NULL,
                             rate = NULL, tz = NULL, start = NULL) {
    load_footfall()
    if (!is.null(xyz)) return(analyze_samples(x, xyz, unit))
    if (!is.character(x) || length(x) != 1) fail(64L, "xyz is missing", "give the accelerations, or the path of a log")
    options <- list(
        columns, if (!is.null(rows)) paste(rows, collapse = "\n"), time_unit, tz, per_g(unit, 0),
        if (is.null(rate)) 0 else as.double(rate), if (!is.null(start)) as.double(start),
        if (!is.null(zero)) rep_len(as.double(zero), 3)
    )
    result(checked(.Call(c_analyze_log, path.expand(x), options)), utc)
}

print.footfall_result <- function(x, ...) {
    cat(sprintf("%d steps, %d activities, %d gaps\n", nrow(x$steps), nrow(x$activities), nrow(x$gaps)))
    invisible(x)
}

analyze_samples <- function(time, xyz, unit) {
    xyz <- as.matrix(xyz)
    if (ncol(xyz) != 3 || !is.numeric(xyz)) {
        fail(64L, sprintf("xyz has %d columns of type %s", ncol(xyz), typeof(xyz)), "give numbers in three columns")
    }
    storage.mode(xyz) <- "double"
    clock <- if (inherits(time, "POSIXct")) utc else identity
    if (!is.numeric(time) && !inherits(time, "POSIXct")) {
        fail(64L, sprintf("time is of type %s", class(time)[1]), "give POSIXct, seconds, or a rate in Hz")
    }
    if (length(time) == 1 && nrow(xyz) != 1) time <- (seq_len(nrow(xyz)) - 1) / rate_of(time)
    if (length(time) != nrow(xyz)) {
        problem <- sprintf("time has %d values for %d samples", length(time), nrow(xyz))
        fail(64L, problem, "give one time for each sample")
    }
    result(checked(.Call(c_analyze_samples, as.double(time), xyz, per_g(unit, 1))), clock)
}

rate_of <- function(value) {
    value <- as.double(value)
    if (!is.finite(value) || value <= 0) {
        fail(64L, sprintf("the rate is %g", value), "give samples per second, or the time of each sample")
    }
    value
}

# The units of one g.
PER_G <- c(g = 1, mg = 1000, "m/s2" = 9.80665, "m/s^2" = 9.80665)

per_g <- function(unit, default) {
    if (is.null(unit)) return(default)
    if (is.numeric(unit)) return(as.double(unit))
    if (!unit %in% names(PER_G)) {
        fail(64L, sprintf("the unit is \"%s\"", unit),
             paste("write one of", toString(names(PER_G)), "or how many counts are one g"))
    }
    PER_G[[unit]]
}

utc <- function(seconds) as.POSIXct(seconds, origin = "1970-01-01", tz = "UTC")

lines_of <- function(text) if (nzchar(text)) strsplit(text, "\n", fixed = TRUE)[[1]] else character()

ACTIVITIES <- c("stationary", "walking", "running", "automotive", "cycling", "unknown")
CONFIDENCES <- c("low", "medium", "high")
REASONS <- c("", "too short", "low rate", "handled", "unclear", "not worn", "exercise")

# The data frames of events. `clock` gives times the form of the input.
tables <- function(found, clock) {
    of <- function(rows) {
        times <- names(rows) %in% c("time", "start", "end")
        rows[times] <- lapply(rows[times], clock)
        as.data.frame(rows)
    }
    segments <- of(found$activities)
    segments$activity <- factor(ACTIVITIES[segments$activity + 1], ACTIVITIES)
    segments$confidence <- factor(CONFIDENCES[segments$confidence + 1], CONFIDENCES, ordered = TRUE)
    segments$reason <- REASONS[segments$reason + 1]
    segments$isHalt <- segments$isHalt != 0
    list(steps = of(found$steps), activities = segments, gaps = of(found$gaps), nonWear = of(found$nonWear))
}

result <- function(given, clock) {
    structure(
        c(tables(given$found, clock),
          list(quality = given$quality, layout = given$layout, notes = lines_of(given$notes),
               warnings = lines_of(given$warnings))),
        events = given$found$events, class = "footfall_result"
    )
}
