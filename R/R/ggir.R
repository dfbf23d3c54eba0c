# GGIR resamples without a low-pass filter. At 50 samples a second only motion from 45 Hz on folds into the band of steps,
# below 5 Hz.
footfall_myfun <- function(rate = 50) {
    if (length(rate) != 1 || !is.numeric(rate) || !isTRUE(rate >= 20 && rate %% 1 == 0)) {
        fail(64L, sprintf("rate is %s", toString(rate)), "give a whole number of 20 or more")
    }
    path <- footfall_library()
    load_footfall(path)
    list(
        FUN = steps_per_second, parameters = list(rate = as.double(rate), library = path), expected_sample_rate = rate,
        expected_unit = "g", colnames = "step_count", outputres = 1, minlength = 1, outputtype = "numeric",
        aggfunction = sum, timestamp = FALSE, reporttype = "event", clevels = c(0, 80, 100, 120),
        qlevels = c(0.25, 0.5, 0.75), ebout.dur = c(1, 5, 10), ebout.th.cad = 100, ebout.th.acc = 0,
        ebout.criter = 0.8, ebout.condition = "AND"
    )
}

# The steps in each whole second of a block. GGIR calls it, also in worker processes, which load the library themselves.
steps_per_second <- function(data, parameters) {
    load_footfall(parameters$library)
    found <- analyze_samples(parameters$rate, data, "g")
    seconds <- nrow(data) %/% parameters$rate
    matrix(tabulate(found$steps$time + 1, seconds), dimnames = list(NULL, "step_count"))
}
