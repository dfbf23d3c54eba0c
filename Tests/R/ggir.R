# Runs GGIR's parts 1 to 5 on simulated days with Footfall's steps, and compares its report with days.csv of the command.
# Usage: Rscript ggir.R, in an empty folder. FOOTFALL_COMMAND names the command.
library(GGIR)

footfall <- function(...) stopifnot(system2(Sys.getenv("FOOTFALL_COMMAND"), c(...), stdout = FALSE, stderr = FALSE) == 0)
dir.create("recordings")
dir.create("results")
trace <- "recordings/days.csv"
# Two days at the wrist. GGIR reads no time before the first quarter of an hour, in which the wearer sleeps.
footfall("simulate", "week", "--duration", 2 * 86400, "--rate", 25, "--placement", "wrist", "--jitter", 0,
         "--start", "2026-11-16T00:00:00Z", "--out", trace)
invisible(file.rename("recordings/days.truth.json", "days.truth.json"))
footfall("analyze", trace, "--tables", "tables")

log <- capture.output(suppressWarnings(GGIR(
    mode = 1:5, datadir = "recordings", outputdir = "results", myfun = footfall::footfall_myfun(rate = 25),
    do.report = c(2, 5), do.cal = FALSE, desiredtz = "UTC", do.parallel = FALSE, visualreport = FALSE, idloc = 1,
    rmc.firstrow.acc = 2, rmc.col.acc = 2:4, rmc.col.time = 1, rmc.unit.acc = "g", rmc.sf = 25, rmc.dynamic_range = 8
)))

reports <- "results/output_recordings/results"
days <- read.csv("tables/days.csv")
ggir <- read.csv(file.path(reports, "part2_dayeventsummary.csv"))
found <- data.frame(date = substr(ggir$calendar_date, 1, 10), ggir = ggir$tot_step_count_0.24hr)
both <- merge(found, days[c("date", "steps")])
stopifnot(nrow(both) == 2, both$steps > 10000, both$ggir == both$steps)
stopifnot(file.exists(file.path(reports, "part5_daysummary_MM_L40M100V400_T5A5.csv")))
cat(sprintf("%s: %d steps in GGIR's report, as in days.csv\n", both$date, both$ggir), sep = "")

# Parts 2 to 5 go on from the file of part 1 that Footfall writes: the same steps, ENMO and night.
footfall::footfall_part1("tables", "from-tables/output_recordings", tz = "UTC")
log <- capture.output(suppressWarnings(GGIR(
    mode = 2:5, datadir = "recordings", outputdir = "from-tables", myfun = footfall::footfall_myfun(rate = 25),
    do.report = c(2, 4, 5), desiredtz = "UTC", do.parallel = FALSE, visualreport = FALSE, idloc = 1
)))
ours <- "from-tables/output_recordings/results"
report <- function(folder, name) read.csv(file.path(folder, name))
steps <- report(ours, "part2_dayeventsummary.csv")$tot_step_count_0.24hr
enmo <- lapply(c(reports, ours), function(folder) report(folder, "part2_daysummary.csv")$mean_ENMO_mg_0.24hr)
stopifnot(steps == found$ggir, abs(enmo[[1]] - enmo[[2]]) < 0.1)
nights <- report(ours, "part4_nightsummary_sleep_cleaned.csv")
stopifnot(nrow(nights) >= 1, nights$SleepDurationInSpt > 4)
cat(sprintf("parts 2 to 5 from the tables: %s steps, %.2f and %.2f mg\n", toString(steps), enmo[[1]], enmo[[2]]), sep = "")
