footfall_analyze <- function(x, xyz = NULL, unit = NULL, columns = NULL, rows = NULL, zero = NULL, time_unit = NULL,
                             rate = NULL, tz = NULL, start = NULL) {
    load_footfall()
    if (!is.null(xyz)) {
        for_logs <- list(columns = columns, rows = rows, zero = zero, time_unit = time_unit, rate = rate, tz = tz,
                         start = start)
        unused <- names(Filter(Negate(is.null), for_logs))
        if (length(unused)) {
            fail(64L, paste("arguments without use:", toString(unused)),
                 "they are for logs; with xyz, x is the times or the rate")
        }
        return(analyze_samples(x, xyz, unit))
    }
    if (!is.character(x)) fail(64L, "xyz is missing", "give the accelerations, or the path of a log")
    path <- path_of("x", x)
    options <- list(
        if (!is.null(columns)) paste(columns, collapse = ","), if (!is.null(rows)) paste(rows, collapse = "\n"),
        text("time_unit", time_unit), text("tz", tz), per_g(unit, 0), if (is.null(rate)) 0 else rate_of(rate),
        moment("start", start), if (!is.null(zero)) rep_len(zeros(zero), 3)
    )
    result(checked(.Call(c_analyze_log, path, options)), utc, path)
}

print.footfall_result <- function(x, ...) {
    cat(sprintf("%d steps in %.0f s with samples, %d activities, %d gaps\n", nrow(x$steps), x$quality$coverage,
                nrow(x$activities), nrow(x$gaps)))
    told <- c(sprintf("note: %s", x$notes), sprintf("warning: %s", x$warnings))
    if (length(told)) cat(told, sep = "\n")
    invisible(x)
}

analyze_samples <- function(time, xyz, unit) {
    xyz <- as.matrix(xyz)
    if (ncol(xyz) != 3 || !is.numeric(xyz)) {
        fail(64L, sprintf("xyz has %d columns of type %s", ncol(xyz), typeof(xyz)), "give numbers in three columns")
    }
    storage.mode(xyz) <- "double"
    zone <- attr(time, "tzone")
    clock <- if (inherits(time, "POSIXct")) function(seconds) .POSIXct(seconds, zone) else identity
    if (!is.numeric(time) && !inherits(time, "POSIXct")) {
        fail(64L, sprintf("time is of type %s", class(time)[1]), "give POSIXct, seconds, or a rate in Hz")
    }
    if (length(time) == 1 && nrow(xyz) != 1 && is.numeric(time)) time <- (seq_len(nrow(xyz)) - 1) / rate_of(time)
    if (length(time) != nrow(xyz)) {
        problem <- sprintf("time has %d values for %d samples", length(time), nrow(xyz))
        fail(64L, problem, "give one time for each sample")
    }
    found <- result(checked(.Call(c_analyze_samples, as.double(time), xyz, per_g(unit, 1))), clock)
    found$notes <- magnitude_note(head(xyz, 4096) / per_g(unit, 1))
    found
}

# The median |a| of a wearer in g (Sources/FootfallReaders/Text/Units/GravityCheck.swift).
USUAL_MEDIAN <- c(0.5, 2.4)

# What the first accelerations, in g, say against their unit.
magnitude_note <- function(xyz) {
    size <- median(sqrt(rowSums(xyz^2)), na.rm = TRUE)
    if (is.na(size) || (size >= USUAL_MEDIAN[1] && size <= USUAL_MEDIAN[2])) return(character())
    sprintf("the median |a| is %.3g g, and at rest it is 1 g: check the unit", size)
}

rate_of <- function(value) {
    if (!is.numeric(value) || length(value) != 1 || !is.finite(value) || value <= 0) {
        fail(64L, sprintf("the rate is %s", toString(value)), "give samples per second, or the time of each sample")
    }
    as.double(value)
}

zeros <- function(value) {
    if (!is.numeric(value) || !length(value) %in% c(1, 3) || !all(is.finite(value))) {
        fail(64L, sprintf("zero is %s", toString(value)), "give a number, or those of x, y and z")
    }
    as.double(value)
}

# The units, and how many of each are one g. \u00b2 is a raised 2.
UNITS <- c("g", "mg", "m/s2", "m/s^2", "m/s\u00b2", "mss")
PER_G <- c(1, 1000, rep(9.80665, 4))

per_g <- function(unit, default) {
    if (is.null(unit)) return(default)
    if (length(unit) == 1 && is.numeric(unit) && is.finite(unit) && unit > 0) return(as.double(unit))
    known <- if (length(unit) == 1 && is.character(unit)) match(unit, UNITS) else NA
    if (is.na(known)) {
        fail(64L, sprintf("unit is %s", shown(unit)),
             paste("write one of", toString(UNITS), "or how many counts are one g"))
    }
    PER_G[known]
}

utc <- function(seconds) as.POSIXct(seconds, origin = "1970-01-01", tz = "UTC")

# A text of a call, or NULL.
text <- function(name, value) {
    if (is.null(value) || is_text(value)) return(value)
    fail(64L, sprintf("%s is %s", name, shown(value)), "give one text")
}

# A path of a call.
path_of <- function(name, value) {
    if (!is_text(value) || !nzchar(value)) fail(64L, sprintf("%s is %s", name, shown(value)), "give one path")
    path.expand(value)
}

is_text <- function(value) is.character(value) && length(value) == 1 && !is.na(value)

shown <- function(value) deparse(value, nlines = 1)[1]

# A time of a call in seconds since 1970, or NULL. Text is UTC. R itself ignores the end of a text that it cannot read,
# and reads "2026-11-20T08:00Z" as midnight.
moment <- function(name, time) {
    if (is.null(time)) return(NULL)
    seconds <- NA
    if (is.character(time) && length(time) == 1 && grepl(MOMENT, time)) {
        plain <- sub("Z$", "", sub("T", " ", time))
        format <- c("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%OS")[nchar(gsub("[^:]", "", plain)) + 1]
        seconds <- as.double(as.POSIXct(plain, format = format, tz = "UTC"))
    } else if (inherits(time, c("Date", "POSIXt"))) {
        seconds <- as.double(as.POSIXct(time))
    } else if (is.numeric(time)) {
        seconds <- as.double(time)
    }
    if (length(seconds) != 1 || is.na(seconds) || abs(seconds) >= MOST_SECONDS) {
        fail(64L, sprintf("%s is %s", name, toString(time)),
             "give POSIXct, seconds since 1970, or 2026-11-20 08:00, in UTC")
    }
    seconds
}

MOMENT <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?)?Z?$"

# Beyond them, nanoseconds do not fit 64 bits.
MOST_SECONDS <- 9.2e9

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

# The reasons for which samples are dropped.
DROPPED <- c(
    backward = "their times step back; samples must be in order of time",
    leaping = "their times leap more than seven days ahead",
    unusable = "a value is missing, infinite or huge, the time lies outside 1900 to 2150, or thousands have one time",
    impulses = "isolated values that no motion of a body makes; check the cable or the sensor"
)

# The rates in Hz about which the command warns, too (Sources/FootfallStudy/Logs/TraceWarnings.swift).
LOWEST_RATE <- 11.5
HIGHEST_RATE <- 1600

# What the analysis has dropped.
dropped <- function(quality) {
    counts <- unlist(quality[names(DROPPED)])
    counts <- counts[counts > 0]
    sprintf("%.0f of %.0f samples dropped: %s", counts, quality$samples, DROPPED[names(counts)])
}

# Rates at which no steps are found.
odd_rates <- function(quality) {
    rate <- quality$rate
    c(if (rate > 0 && rate < LOWEST_RATE)
          sprintf("%.1f Hz is too slow to find steps reliably; 12.5 Hz is the least", rate),
      if (rate > HIGHEST_RATE)
          sprintf("%.1f Hz is too fast for a worn sensor: check whether the times are seconds", rate),
      if (rate == 0 && quality$samples - quality$duplicates - sum(unlist(quality[names(DROPPED)])) > 1)
          "the samples are too far apart for a signal: check whether the times are seconds")
}

# The result of a call. A warning tells what was dropped of a log, or of samples in memory.
result <- function(given, clock, log = NULL) {
    lost <- c(lines_of(given$warnings), dropped(given$quality))
    if (length(lost)) warning(paste0(if (!is.null(log)) paste0(log, ": "), paste(lost, collapse = "; ")), call. = FALSE)
    structure(
        c(tables(given$found, clock),
          list(quality = given$quality, layout = given$layout, notes = lines_of(given$notes),
               warnings = c(lost, odd_rates(given$quality)))),
        events = given$found$events, class = "footfall_result"
    )
}
