footfall_record <- function(result, history, source, tz = NULL) {
    load_footfall()
    events <- attr(result, "events")
    if (is.null(events)) fail(64L, "the result has no events", "record the result of footfall_analyze")
    checked(.Call(c_record, path.expand(history), events, source, tz))
    invisible(result)
}

# How footfall_history_steps of footfall.h divides a range; other values are minutes.
BUCKETS <- c(hour = -1L, day = -2L, week = -3L)

footfall_history <- function(history, since = NULL, until = NULL, by = NULL, source = NULL) {
    load_footfall()
    if (is.character(by) && !by %in% names(BUCKETS)) {
        fail(64L, sprintf("by is \"%s\"", by), "write hour, day, week, or a number of minutes")
    }
    buckets <- if (is.null(by)) 0L else if (is.character(by)) BUCKETS[[by]] else as.integer(by)
    answer <- checked(.Call(c_query, path.expand(history), source, moment(since), moment(until), buckets))
    counts <- as.data.frame(answer$counts)
    counts$start <- utc(counts$start)
    counts$end <- utc(counts$end)
    counts$truncated <- counts$truncated != 0
    c(list(counts = counts), tables(answer$found, utc))
}

# A bound of a range in seconds since 1970, or NULL.
moment <- function(time) {
    if (is.null(time)) return(NULL)
    if (is.character(time)) time <- as.POSIXct(time, tz = "UTC")
    as.double(time)
}
