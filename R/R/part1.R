# GGIR's lengths of short and medium epochs and of the window of its non-wear, in seconds: its default.
WINDOWS <- c(5, 900, 3600)

footfall_part1 <- function(tables, output, tz = "UTC") {
    tables <- path_of("tables", tables)
    output <- path_of("output", output)
    # Of an unknown zone, R silently makes UTC. "" is the zone of the computer, as in GGIR.
    if (!is_text(tz) || !tz %in% c("", OlsonNames())) {
        fail(64L, sprintf("tz is %s", shown(tz)), "give a time zone such as Europe/Berlin")
    }
    journal <- file.path(tables, "traces.ndjson")
    if (!file.exists(journal)) {
        fail(66L, "it is not a folder of tables", "write one by footfall analyze --tables", tables)
    }
    logs <- lapply(readLines(journal, encoding = "UTF-8"), jsonlite::fromJSON)
    names <- basename(vapply(logs, `[[`, "", "trace"))
    if (twice <- anyDuplicated(names)) {
        fail(64L, sprintf("two logs have the name %s, and GGIR takes the name for the recording", names[twice]),
             "rename one, and analyze again", tables)
    }
    folder <- file.path(output, "meta", "basic")
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    # The parts that follow look for the folder of reports.
    dir.create(file.path(output, "results", "QC"), recursive = TRUE, showWarnings = FALSE)
    invisible(vapply(logs, function(log) write_milestone(log, tables, folder, tz), ""))
}

# Writes the file of part 1 of a log, under the names that GGIR loads from it. Returns its path.
write_milestone <- function(log, tables, folder, tz) {
    # The folder of a log is its name without extensions; with them, if it has none or two logs differ in them alone.
    stem <- sub("\\.[^./]+$", "", sub("\\.gz$", "", log$trace))
    own <- if (file.exists(file.path(tables, log$trace, "epochs.csv"))) log$trace else stem
    of <- function(name) read.csv(file.path(tables, own, name))
    epochs <- of("epochs.csv")
    if (!is.null(problem <- unfit(instant(epochs$start)))) {
        warning(log$trace, ": ", problem, "; GGIR gets no file of it", call. = FALSE)
        return(NA_character_)
    }
    kept <- new.env()
    kept$M <- metrics(epochs, instant(of("steps.csv")$time), tz)
    name <- basename(log$trace)
    kept$C <- calibration(log$calibration)
    # GGIR asks for the format in the reports alone: 0 is an unknown device, 5 a CSV file.
    kept$I <- list(header = "no header", monc = 0, monn = "unknown", dformc = 5, dformn = "csv", sf = log$sampleRate,
                   decn = ".", filename = name, deviceSerialNumber = "unknown")
    kept$filename_dir <- kept$filefoldername <- name
    kept$tail_expansion_log <- NULL
    kept$desiredtz_part1 <- tz
    path <- file.path(folder, paste0("meta_", name, ".RData"))
    save(list = ls(kept), file = path, envir = kept)
    path
}

instant <- function(text) as.numeric(as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))

# Why no file can be made of epochs that start at these times; NULL if one can.
unfit <- function(at) {
    if (length(at) && at[1] < END_OF_UNDATED) return("it has no date; analyze it again with --start")
    seconds <- if (length(at) > 1) min(diff(at)) else WINDOWS[1]
    if (seconds %in% OTHER_EPOCHS) {
        return(sprintf("its epochs have %.0f s, and GGIR needs 5 s; analyze it again with --epoch 5", seconds))
    }
    if (whole_quarters(at) < WINDOWS[3] / WINDOWS[2]) "less than an hour from the first whole quarter on"
}

# The other lengths of analyze --epoch. The angle of 5 s is no mean of angles of 1 s.
OTHER_EPOCHS <- c(1, 15, 30, 60)

first_quarter <- function(at) ceiling(at[1] / WINDOWS[2]) * WINDOWS[2]

whole_quarters <- function(at) {
    if (length(at)) (at[length(at)] + WINDOWS[1] - first_quarter(at)) %/% WINDOWS[2] else 0
}

# GGIR's series from whole quarters of an hour: ENMO in g, the angle and the steps of 5 s, non-wear and clipping of 15 min.
metrics <- function(epochs, steps, tz) {
    at <- instant(epochs$start)
    first <- first_quarter(at)
    quarters <- whole_quarters(at)
    short <- first + (seq_len(quarters * WINDOWS[2] / WINDOWS[1]) - 1) * WINDOWS[1]
    long <- first + (seq_len(quarters) - 1) * WINDOWS[2]
    row <- match(short, at)
    column <- function(values) ifelse(is.na(values[row]), 0, values[row])
    angle <- epochs$angleZDeg[row]
    # Through a gap the angle stays, as where the arm does not move.
    angle <- c(0, angle[!is.na(angle)])[cumsum(!is.na(angle)) + 1]
    quarter <- rep(seq_len(quarters), each = WINDOWS[2] / WINDOWS[1])
    worn <- tapply(column(epochs$worn == "true"), quarter, mean)
    stamp <- function(seconds) strftime(utc(seconds), "%Y-%m-%dT%H:%M:%S%z", tz = tz)
    started <- as.POSIXlt(first, origin = "1970-01-01", tz = tz)
    list(
        filecorrupt = FALSE, filetooshort = FALSE, NFilePagesSkipped = 0,
        metalong = data.frame(
            timestamp = stamp(long),
            # Of its three axes, GGIR takes two at rest for non-wear. Footfall has one answer for all.
            nonwearscore = ifelse(worn < 0.5, 3, 0),
            clippingscore = as.numeric(tapply(column(epochs$clipped), quarter, mean)),
            EN = NA_real_
        ),
        metashort = data.frame(
            timestamp = stamp(short), anglez = round(angle, 4), ENMO = round(column(epochs$enmoMg) / 1000, 4),
            step_count = tabulate((steps[steps >= first] - first) %/% WINDOWS[1] + 1, length(short))
        ),
        wday = started$wday + 1, wdayname = weekdays(started), windowsizes = WINDOWS, bsc_qc = data.frame(), QClog = NULL
    )
}

# The correction of the sensor in GGIR's names; 1 and 0 where none was asked for.
calibration <- function(given) {
    list(
        cal.error.end = given$errorAfter %or% 0, cal.error.start = given$errorBefore %or% 0,
        scale = given$scale %or% c(1, 1, 1), offset = given$offset %or% c(0, 0, 0),
        tempoffset = given$offsetPerDegree %or% c(0, 0, 0), meantempcal = given$meanTemperature,
        QCmessage = if (is.null(given)) "Autocalibration not done" else "By Footfall", npoints = given$windows %or% 0,
        nhoursused = 0, use.temp = FALSE
    )
}

`%or%` <- function(value, default) if (is.null(value)) default else value
