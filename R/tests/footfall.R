# Compares the package with the command, the history and the samples. FOOTFALL_LIBRARY names the library; the comparison
# with the command also needs FOOTFALL_COMMAND and FOOTFALL_TRACES, the folder SensorTraces.
library(footfall)

if (!nzchar(footfall_library())) {
    cat("skipped: no libFootfallC.so; FOOTFALL_LIBRARY names it\n")
    quit("no")
}

caught <- function(call) tryCatch({ call; NULL }, error = identity)

# A walk at two steps a second for a minute, 50 samples a second, after ten seconds at rest: harmonics of the step, and a
# sway at half its frequency.
time <- (0:3999) / 50
walks <- time >= 10 & time < 70
phase <- 4 * pi * time
bounce <- walks * (0.3 * sin(phase) + 0.15 * sin(2 * phase + 1) + 0.07 * sin(3 * phase + 2))
sway <- walks * sin(phase / 2)
xyz <- cbind(0.1 * bounce + 0.08 * sway, 0.1 * walks * (sin(phase / 2 + 1) + sin(phase + 0.5)), 1 + bounce)
walk <- footfall_analyze(time, xyz)
stopifnot(
    abs(nrow(walk$steps) - 120) <= 3, sum(walk$activities$steps) == nrow(walk$steps),
    !is.unsorted(walk$steps$time, strictly = TRUE),
    "walking" %in% walk$activities$activity, walk$quality$samples == 4000, nrow(walk$gaps) == 0
)

# The form of the times that come in is the form of those that go out; units and a rate change nothing.
dated <- footfall_analyze(as.POSIXct("2026-11-16", tz = "UTC") + time, data.frame(xyz * 9.80665), unit = "m/s2")
stopifnot(
    inherits(dated$steps$time, "POSIXct"), nrow(dated$steps) == nrow(walk$steps),
    identical(footfall_analyze(50, xyz)$steps, walk$steps)
)

berlin <- footfall_analyze(as.POSIXct("2026-11-16 08:00", tz = "Europe/Berlin") + time, xyz)
stopifnot(format(berlin$activities$start[1], "%H:%M %Z") == "08:00 CET")

# A gap is a row, and no step lies in it.
later <- time + ifelse(time < 40, 0, 30)
gap <- footfall_analyze(later, xyz)
stopifnot(nrow(gap$gaps) == 1, abs(gap$gaps$end - 70) < 0.1, !any(gap$steps$time > 40.1 & gap$steps$time < 69.9))

# Errors are conditions with Footfall's fields.
missing <- caught(footfall_analyze("/nowhere/walk.csv"))
stopifnot(inherits(missing, "footfall_file_error"), inherits(missing, "footfall_error"), missing$path == "/nowhere/walk.csv")
text <- tempfile(fileext = ".csv")
writeLines(c("name,town", "Ann,Bonn", "Ben,Kiel"), text)
stopifnot(inherits(caught(footfall_analyze(text)), "footfall_data_error"))
stopifnot(inherits(caught(footfall_analyze(time, xyz[, 1:2])), "footfall_usage_error"))
stopifnot(inherits(caught(footfall_analyze(time[-1], xyz)), "footfall_usage_error"))
stopifnot(inherits(caught(footfall_analyze(50, xyz, unit = "ounces")), "footfall_usage_error"))

# What is dropped is told, and a size that contradicts the unit.
told <- tryCatch(footfall_analyze(replace(time, 9, NA), replace(xyz, 1:5, NA)), warning = conditionMessage)
holed <- suppressWarnings(footfall_analyze(replace(time, 9, NA), replace(xyz, 1:5, NA)))
stopifnot(
    grepl("6 of 4000 samples dropped: a value is missing", holed$warnings), identical(told, holed$warnings),
    any(grepl("dropped", capture.output(holed))), length(walk$warnings) == 0, length(walk$notes) == 0,
    grepl("too slow", footfall_analyze(5, xyz)$warnings),
    grepl("check the unit", footfall_analyze(50, xyz * 9.80665)$notes)
)
told <- tryCatch(footfall_analyze(rev(time), xyz), warning = conditionMessage)
stopifnot(grepl("3999 of 4000 samples dropped: their times step back; samples must be in order of time", told))
# One warning names the log and all that it loses.
torn <- tempfile(fileext = ".csv")
rows <- sprintf("%.2f,%f,%f,%f", 1.8e9 + time, xyz[, 1], xyz[, 2], xyz[, 3])
writeLines(c("time,x,y,z", replace(rows, 7 * 1:500, "cut")), torn)
told <- character()
found <- withCallingHandlers(footfall_analyze(torn), warning = function(warning) {
    told <<- c(told, conditionMessage(warning))
    invokeRestart("muffleWarning")
})
stopifnot(length(told) == 1, startsWith(told, paste0(torn, ": 500 rows dropped")), length(found$warnings) == 1)

# An argument of another type is named.
for (wrong in list(list(tz = 1), list(time_unit = factor("s")), list(start = "20.11.2026"), list(start = NA),
                   list(zero = "a"), list(zero = c(1, 2)), list(rate = "fast"))) {
    found <- caught(do.call(footfall_analyze, c("/nowhere/walk.csv", wrong)))
    stopifnot(inherits(found, "footfall_usage_error"), grepl(paste(names(wrong), "is "), conditionMessage(found)))
}
stopifnot(inherits(caught(footfall_analyze(as.POSIXct("2026-11-16"), xyz)), "footfall_usage_error"))

# An argument is one value, of which none is ignored. A unit has the names that the command reads.
for (wrong in list(list(rate = 25), list(start = "2026-11-20", tz = "nowhere"), list(columns = "t,x,y,z"),
                   list(rows = "user=33"), list(zero = 0), list(time_unit = "ms"))) {
    found <- caught(do.call(footfall_analyze, c(list(time, xyz), wrong)))
    stopifnot(
        inherits(found, "footfall_usage_error"),
        startsWith(conditionMessage(found), paste("arguments without use:", toString(sort(names(wrong), decreasing = TRUE))))
    )
}
for (unit in list(0, -1, NA_real_, Inf, c(1, 2), c("g", "mg"), NA, TRUE, "")) {
    for (found in list(caught(footfall_analyze(50, xyz, unit)), caught(footfall_analyze("/nowhere/walk.csv", unit = unit)))) {
        stopifnot(inherits(found, "footfall_usage_error"), startsWith(conditionMessage(found), "unit is "))
    }
}
for (unit in c("m/s\u00b2", "m/s^2", "mss")) {
    stopifnot(identical(footfall_analyze(50, xyz * 9.80665, unit)$steps, footfall_analyze(50, xyz * 9.80665, "m/s2")$steps))
}
working <- getwd()
dir.create(empty <- tempfile())
setwd(empty)
for (path in list(NULL, NA_character_, "", 1, c("a", "b"))) {
    calls <- list(
        caught(footfall_history(path)), caught(footfall_record(dated, path, "hip")), caught(footfall_part1(path, "out")),
        caught(footfall_part1("tables", path)), if (is.character(path)) caught(footfall_analyze(path))
    )
    for (found in Filter(Negate(is.null), calls)) {
        stopifnot(inherits(found, "footfall_usage_error"), endsWith(conditionMessage(found), "give one path"))
    }
}
stopifnot(length(list.files()) == 0)
setwd(working)

# A history gives the steps that were recorded, by hour and by range.
file <- tempfile(fileext = ".sqlite")
footfall_record(dated, file, "hip", tz = "UTC")
kept <- footfall_history(file, by = "hour")
start <- as.POSIXct("2026-11-16 00:00:30", tz = "UTC")
part <- footfall_history(file, since = start, until = start + 10, source = "hip")
stopifnot(
    sum(kept$counts$steps) == nrow(dated$steps), nrow(kept$steps) == nrow(dated$steps),
    part$counts$steps == sum(dated$steps$time >= start & dated$steps$time < start + 10)
)
# A bound in any form is the same moment, and a range beside the extent is empty.
midnight <- as.POSIXct("2026-11-16", tz = "UTC")
for (since in list("2026-11-16T00:00:30Z", "2026-11-16 00:00:30.000", start, as.POSIXlt(start), as.numeric(start))) {
    stopifnot(footfall_history(file, since = since)$counts$steps == sum(dated$steps$time >= start))
}
stopifnot(
    footfall_history(file, since = as.Date("2026-11-16"))$counts$start == midnight, nrow(kept$gaps) == 0,
    footfall_history(file, since = "2026-12-01")$counts$steps == 0,
    footfall_history(file, until = "2026-11-01")$counts$steps == 0
)
for (wrong in list(list(since = "2026-11-16 8 am"), list(until = "9999-12-31"), list(since = 1.8e12), list(by = -1),
                   list(by = 0.5), list(by = c("hour", "day")), list(source = 101), list(source = c("hip", "wrist")))) {
    found <- caught(do.call(footfall_history, c(file, wrong)))
    stopifnot(inherits(found, "footfall_usage_error"), startsWith(conditionMessage(found), paste(names(wrong), "is ")))
}
stopifnot(inherits(caught(footfall_history(file, source = "nobody")), "footfall_error"))
# A result that starts before the time that the history keeps is told, and no other is.
untold <- tryCatch(footfall_record(dated, file, "hip"), warning = identity)
old <- footfall_analyze(as.POSIXct("2026-11-02", tz = "UTC") + time, xyz)
told <- tryCatch(footfall_record(old, file, "hip"), warning = conditionMessage)
stopifnot(
    identical(untold, dated), grepl("keeps nothing of hip before 2026-11-16", told), grepl("--keep forever", told),
    sum(footfall_history(file, source = "hip")$counts$steps) == nrow(dated$steps)
)
off <- footfall_analyze(as.POSIXct("2026-11-17", tz = "UTC") + (0:49999) / 10, cbind(0, 0, rep(1, 50000)))
footfall_record(off, file, "shelf")
shelf <- footfall_history(file, source = "shelf")
stopifnot(nrow(off$nonWear) == 1, all.equal(shelf$nonWear, off$nonWear), identical(names(shelf$steps), "time"))
undated <- tempfile(fileext = ".sqlite")
told <- tryCatch(footfall_record(walk, undated, "hip"), warning = conditionMessage)
other <- caught(footfall_record(footfall_analyze(time * 1.1, xyz), undated, "hip"))
stopifnot(
    grepl("a result without a date is recorded from 1970-01-01 on", told), inherits(other, "footfall_error"),
    grepl("hip holds another trace of the same time", conditionMessage(other))
)
reloaded <- unserialize(serialize(dated, NULL))
stopifnot(inherits(caught(footfall_record(reloaded, file, "hip")), "footfall_usage_error"))

# GGIR's function counts the same steps, second by second, also in a worker process.
for (wrong in list(12.5, 30.5, NA, "50")) stopifnot(inherits(caught(footfall_myfun(wrong)), "footfall_usage_error"))
myfun <- footfall_myfun(rate = 50)
counts <- myfun$FUN(xyz, myfun$parameters)
stopifnot(nrow(counts) == 80, sum(counts) == nrow(walk$steps), counts[31] == sum(floor(walk$steps$time) == 30))
workers <- parallel::makeCluster(1)
stopifnot(identical(parallel::parLapply(workers, list(xyz), myfun$FUN, myfun$parameters)[[1]], counts))
parallel::stopCluster(workers)

# An interrupt ends the analysis of a long recording, and the next one works.
long <- matrix(rnorm(3e7), ncol = 3)
stopped <- tryCatch({
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    footfall_analyze(50, long)
    FALSE
}, error = function(error) grepl("time limit", conditionMessage(error)))
setTimeLimit()
stopifnot(stopped, identical(footfall_analyze(50, xyz)$steps, walk$steps))

command <- Sys.getenv("FOOTFALL_COMMAND")
traces <- Sys.glob(file.path(Sys.getenv("FOOTFALL_TRACES"), "*.csv"))
if (!nzchar(command) || !length(traces)) {
    cat("skipped: the comparison with the command, without FOOTFALL_COMMAND and FOOTFALL_TRACES\n")
    quit("no")
}
folder <- tempfile()
system2(command, c("analyze", shQuote(traces), "--tables", folder), stdout = FALSE, stderr = FALSE)
for (trace in traces) {
    of <- function(table) read.csv(file.path(folder, sub(".csv", "", basename(trace), fixed = TRUE), table))
    instant <- function(text) as.numeric(as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))
    found <- footfall_analyze(trace)
    steps <- of("steps.csv")
    activities <- of("activities.csv")
    stopifnot(
        nrow(steps) == nrow(found$steps), all(abs(instant(steps$time) - as.numeric(found$steps$time)) < 2e-6),
        identical(activities$activity, as.character(found$activities$activity)),
        identical(as.numeric(activities$steps), found$activities$steps)
    )
    cat(sprintf("%s: %d steps, as the command\n", basename(trace), nrow(steps)))
}

# GGIR's file of part 1 has the steps from the first whole quarter of an hour on. A short log costs only itself.
hours <- tempfile(fileext = ".csv")
long <- 9000
write.csv(data.frame(time = 1.8e9 + 500 + (0:(long * 10 - 1)) / 10, x = 0, y = 0, z = 1), hours, row.names = FALSE)
tables <- tempfile()
system2(command, c("analyze", hours, file.path(Sys.getenv("FOOTFALL_TRACES"), "walk-wrist.csv"), "--tables", tables),
        stdout = FALSE, stderr = FALSE)
output <- tempfile()
short <- NULL
files <- withCallingHandlers(footfall_part1(tables, output, tz = "Europe/Berlin"), warning = function(warning) {
    short <<- conditionMessage(warning)
    invokeRestart("muffleWarning")
})
stopifnot(grepl("walk-wrist.csv", short), sum(is.na(files)) == 1)
load(files[!is.na(files)])
# 1.8e9 + 500 lies 500 s after a whole quarter: 400 s are left out, and 8,600 s have nine quarters and 500 s.
stopifnot(
    nrow(M$metalong) == 9, nrow(M$metashort) == 9 * 180, M$metashort$timestamp[1] == "2027-01-15T09:15:00+0100",
    all(M$metalong$nonwearscore == 3), all(M$metashort$ENMO < 0.001), abs(M$metashort$anglez - 90) < 0.1, I$sf == 10
)

# A log of two seconds, one without a date and other epochs cost only themselves.
walk_wrist <- file.path(Sys.getenv("FOOTFALL_TRACES"), "walk-wrist.csv")
two <- file.path(dirname(hours), "two-seconds.csv")
writeLines(readLines(walk_wrist, 101), two)
undated <- file.path(dirname(hours), "undated.csv")
write.csv(data.frame(time = (0:(long * 10 - 1)) / 10, x = 0, y = 0, z = 1), undated, row.names = FALSE)
for (wrong in list(list(two, "less than an hour", "--start", "2026-11-16T00:00:00Z"), list(undated, "no date"),
                   list(hours, "epochs have 15 s", "--epoch", 15), list(hours, "epochs have 1 s", "--epoch", 1))) {
    tables <- tempfile()
    system2(command, c("analyze", unlist(wrong[-2]), "--tables", tables), stdout = FALSE, stderr = FALSE)
    told <- tryCatch(footfall_part1(tables, output), warning = conditionMessage)
    stopifnot(grepl(basename(wrong[[1]]), told, fixed = TRUE), grepl(wrong[[2]], told))
    stopifnot(is.na(suppressWarnings(footfall_part1(tables, output))))
}
for (zone in list("Mars/X", NA, c("UTC", "UTC"), NULL)) {
    found <- caught(footfall_part1(tables, output, tz = zone))
    stopifnot(inherits(found, "footfall_usage_error"), startsWith(conditionMessage(found), "tz is "))
}

# Two logs of one name would become one file.
sites <- tempfile()
for (site in c("a", "b")) {
    dir.create(file.path(sites, site), recursive = TRUE)
    file.copy(file.path(Sys.getenv("FOOTFALL_TRACES"), "walk-wrist.csv"), file.path(sites, site))
}
# Two logs of one stem have folders with their extensions.
invisible(file.copy(hours, file.path(sites, c("long.csv", "long.txt"))))
both <- tempfile()
system2(command, c("analyze", file.path(sites, c("long.csv", "long.txt")), "--tables", both), stdout = FALSE,
        stderr = FALSE)
stopifnot(basename(footfall_part1(both, output)) == c("meta_long.csv.RData", "meta_long.txt.RData"))
tables <- tempfile()
system2(command, c("analyze", sites, "--tables", tables), stdout = FALSE, stderr = FALSE)
stopifnot(grepl("two logs have the name walk-wrist.csv", conditionMessage(caught(footfall_part1(tables, output)))))
