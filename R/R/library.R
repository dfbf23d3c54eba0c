footfall_library <- function() {
    given <- getOption("footfall.library", Sys.getenv("FOOTFALL_LIBRARY"))
    if (nzchar(given)) return(path.expand(given))
    beside <- file.path(system.file("libs", package = "footfall"), "libFootfallC.so")
    if (file.exists(beside)) beside else ""
}

# Loads the library once in a process. All functions that call it begin here.
load_footfall <- function(path = footfall_library()) {
    if (!nzchar(path)) {
        fail(66L, "libFootfallC.so is not found",
             "give its path in options(footfall.library =) or in the environment variable FOOTFALL_LIBRARY")
    }
    problem <- .Call(c_load_library, path)
    if (!is.null(problem)) fail(66L, problem, "give the library that belongs to this package", path)
}

# The classes of the conditions by status, as in footfall.h.
STATUS_CLASSES <- c("64" = "footfall_usage_error", "65" = "footfall_data_error", "66" = "footfall_file_error",
                    "74" = "footfall_storage_error")

# Signals a problem as a condition: what, where, and what to do.
fail <- function(status, problem, remedy = "", path = "", line = NA_real_) {
    place <- if (is.na(line)) path else sprintf("%s:%.0f", path, line)
    has <- function(part) !nzchar(part) || grepl(part, problem, fixed = TRUE)
    message <- paste0(if (!has(place)) paste0(place, ": "), problem, if (!has(remedy)) paste0("; ", remedy))
    stop(structure(
        class = c(STATUS_CLASSES[[as.character(status)]], "footfall_error", "error", "condition"),
        list(message = message, call = NULL, status = status, path = path, line = line, problem = problem,
             remedy = remedy)
    ))
}

# The result of a call, or its failure as a condition.
checked <- function(result) {
    if (!inherits(result, "footfall_failure")) return(result)
    fail(result$status, result$problem, result$remedy, result$path, result$line)
}
