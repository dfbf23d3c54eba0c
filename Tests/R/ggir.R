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
