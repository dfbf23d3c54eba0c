# Logs without a date start in 1970: those of its first year have none, in seconds.
END_OF_UNDATED <- 365 * 86400

footfall_record <- function(result, history, source, tz = NULL) {
    load_footfall()
    events <- attr(result, "events")
    if (is.null(events)) fail(64L, "the result has no events", "record the result of footfall_analyze")
    path <- path_of("history", history)
    kept <- checked(.Call(c_record, path, events, text("source", source), text("tz", tz)))
    first <- as.numeric(result$activities$start[1])
    if (!is.na(first) && first < END_OF_UNDATED) {
        warning("a result without a date is recorded from 1970-01-01 on; give POSIXct, or the start of a log, such as ",
                "start = \"2026-11-20 08:00\"", call. = FALSE)
    }
    if (!is.na(first) && first < kept - 1) {
        told <- paste("the history keeps nothing of %s before %s, and the result starts at %s;",
                      "footfall analyze LOG --history %s --keep forever keeps all")
        warning(sprintf(told, source, format(utc(kept)), format(utc(first)), history), call. = FALSE)
    }
    invisible(result)
}

# How footfall_history_steps of footfall.h divides a range; other values are minutes.
BUCKETS <- c(hour = -1L, day = -2L, week = -3L)

footfall_history <- function(history, since = NULL, until = NULL, by = NULL, source = NULL) {
    load_footfall()
    answer <- checked(.Call(
        c_query, path_of("history", history), text("source", source), moment("since", since), moment("until", until),
        bucket(by)
    ))
    counts <- as.data.frame(answer$counts)
    counts$start <- utc(counts$start)
    counts$end <- utc(counts$end)
    counts$truncated <- counts$truncated != 0
    found <- tables(answer$found, utc)
    # A history keeps no qualities, and non-wear as activities alone.
    found$steps$quality <- NULL
    found$nonWear <- found$activities[found$activities$reason == "not worn", c("start", "end")]
    rownames(found$nonWear) <- NULL
    c(list(counts = counts), found)
}

bucket <- function(by) {
    if (is.null(by)) return(0L)
    if (length(by) == 1 && by %in% names(BUCKETS)) return(BUCKETS[[by]])
    if (length(by) == 1 && is.numeric(by) && by %in% 1:1440) return(as.integer(by))
    fail(64L, sprintf("by is %s", toString(by)), "write hour, day, week, or 1 to 1440 minutes")
}
