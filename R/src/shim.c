/* The functions of footfall.h for R. The library is loaded at run time, so that neither Swift nor a link is needed.
 *
 * A call that fails returns a list of the class footfall_failure, of which R makes a condition. Handles are external
 * pointers with finalizers: an interrupt between blocks leaves nothing behind. */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include "footfall.h"

/* ---- The library ------------------------------------------------------------------------------------------------- */

#define FUNCTIONS(each) \
    each(abi_version) each(free) each(events_destroy) each(events_steps) each(events_segments) each(events_gaps) \
    each(events_non_wear) each(events_join) each(analyzer_create) each(analyzer_destroy) each(analyzer_add) \
    each(analyzer_add_trace) each(analyzer_finish) each(analyzer_take) each(analyzer_quality) each(trace_open) \
    each(trace_destroy) each(trace_layout) each(trace_notes) each(trace_warnings) each(history_open) \
    each(history_destroy) each(history_record) each(history_extent) each(history_steps) each(counts_free) \
    each(history_events)

#define MEMBER(name) __typeof__(footfall_##name) *name;
static struct { FUNCTIONS(MEMBER) } library;
static int is_loaded = 0;

/* Loads the library at a path. Returns the problem as text, or NULL. */
static SEXP load_library(SEXP path)
{
    if (is_loaded) return R_NilValue;
    void *handle = dlopen(translateChar(STRING_ELT(path, 0)), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return mkString(dlerror());
#define FIND(name) \
    *(void **)&library.name = dlsym(handle, "footfall_" #name); \
    if (!library.name) return mkString("it has no function footfall_" #name);
    FUNCTIONS(FIND)
    if (library.abi_version() != FOOTFALL_ABI_VERSION) {
        char problem[100];
        snprintf(problem, sizeof problem, "its interface has version %u, this package needs %d",
                 (unsigned)library.abi_version(), FOOTFALL_ABI_VERSION);
        return mkString(problem);
    }
    is_loaded = 1;
    return R_NilValue;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static SEXP text(const char *value) { return ScalarString(mkCharCE(value, CE_UTF8)); }

/* Takes a text of the library. */
static SEXP taken(char *value)
{
    SEXP result = PROTECT(text(value ? value : ""));
    library.free(value);
    UNPROTECT(1);
    return result;
}

static const char *optional_text(SEXP value)
{
    return isNull(value) ? NULL : translateCharUTF8(STRING_ELT(value, 0));
}

static SEXP named(const char **names, int count)
{
    SEXP list = PROTECT(allocVector(VECSXP, count)), labels = PROTECT(allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) SET_STRING_ELT(labels, i, mkChar(names[i]));
    setAttrib(list, R_NamesSymbol, labels);
    UNPROTECT(2);
    return list;
}
#define LIST(names) named(names, sizeof names / sizeof *names)

static SEXP failure(const footfall_error *error)
{
    static const char *names[] = {"status", "path", "line", "problem", "remedy"};
    SEXP list = PROTECT(LIST(names));
    SET_VECTOR_ELT(list, 0, ScalarInteger(error->status));
    SET_VECTOR_ELT(list, 1, text(error->path));
    SET_VECTOR_ELT(list, 2, ScalarReal(error->line ? (double)error->line : NA_REAL));
    SET_VECTOR_ELT(list, 3, text(error->problem));
    SET_VECTOR_ELT(list, 4, text(error->remedy));
    setAttrib(list, R_ClassSymbol, PROTECT(mkString("footfall_failure")));
    UNPROTECT(2);
    return list;
}

static double seconds(int64_t nanoseconds) { return (double)nanoseconds / 1e9; }

/* ---- Handles ----------------------------------------------------------------------------------------------------- */

#define FINALIZER(kind) \
    static void end_##kind(SEXP pointer) \
    { \
        library.kind##_destroy(R_ExternalPtrAddr(pointer)); \
        R_ClearExternalPtr(pointer); \
    }
FINALIZER(events)
FINALIZER(analyzer)
FINALIZER(trace)
FINALIZER(history)

static SEXP handle(void *pointer, R_CFinalizer_t end)
{
    SEXP result = PROTECT(R_MakeExternalPtr(pointer, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(result, end);
    UNPROTECT(1);
    return result;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static SEXP spans(const footfall_span *from, size_t count)
{
    static const char *names[] = {"start", "end"};
    SEXP list = PROTECT(LIST(names));
    for (int column = 0; column < 2; column++) {
        SEXP values = allocVector(REALSXP, count);
        SET_VECTOR_ELT(list, column, values);
        for (size_t i = 0; i < count; i++) REAL(values)[i] = seconds(column ? from[i].end : from[i].start);
    }
    UNPROTECT(1);
    return list;
}

/* Steps, activities, gaps and non-wear of joined events, and the events themselves. */
static SEXP event_lists(SEXP events)
{
    static const char *names[] = {"steps", "activities", "gaps", "nonWear", "events"};
    static const char *step_names[] = {"time", "quality"};
    static const char *segment_names[] = {"start", "end", "activity", "isHalt", "confidence", "probability", "steps",
                                          "reason"};
    SEXP result = PROTECT(LIST(names));
    footfall_events *from = R_ExternalPtrAddr(events);
    library.events_join(from);
    size_t count;

    const footfall_step *step = library.events_steps(from, &count);
    SEXP steps = LIST(step_names);
    SET_VECTOR_ELT(result, 0, steps);
    for (int column = 0; column < 2; column++) {
        SEXP values = allocVector(REALSXP, count);
        SET_VECTOR_ELT(steps, column, values);
        for (size_t i = 0; i < count; i++) REAL(values)[i] = column ? step[i].quality : seconds(step[i].time);
    }

    const footfall_segment *segment = library.events_segments(from, &count);
    SEXP segments = LIST(segment_names);
    SET_VECTOR_ELT(result, 1, segments);
    for (int column = 0; column < 8; column++) {
        SEXP values = allocVector(REALSXP, count);
        SET_VECTOR_ELT(segments, column, values);
        for (size_t i = 0; i < count; i++) {
            const footfall_segment *one = segment + i;
            const double row[] = {seconds(one->start), seconds(one->end), one->activity, one->is_halt,
                                  one->confidence, one->probability, (double)one->steps, one->reason};
            REAL(values)[i] = row[column];
        }
    }

    const footfall_span *span = library.events_gaps(from, &count);
    SET_VECTOR_ELT(result, 2, spans(span, count));
    span = library.events_non_wear(from, &count);
    SET_VECTOR_ELT(result, 3, spans(span, count));
    SET_VECTOR_ELT(result, 4, events);
    UNPROTECT(1);
    return result;
}

static SEXP quality_list(footfall_analyzer *analyzer)
{
    static const char *names[] = {"samples", "duplicates", "backward", "leaping", "unusable", "impulses", "gaps",
                                  "coverage", "rate"};
    footfall_quality found;
    library.analyzer_quality(analyzer, &found);
    const double values[] = {found.samples, found.duplicates, found.backward, found.leaping, found.unusable,
                             found.impulses, found.gaps, found.coverage, found.rate};
    SEXP list = PROTECT(LIST(names));
    for (int i = 0; i < 9; i++) SET_VECTOR_ELT(list, i, ScalarReal(values[i]));
    UNPROTECT(1);
    return list;
}

/* The results of an analyzer whose samples are over, and the texts about a log, or NULL. */
static SEXP result_of(footfall_analyzer *analyzer, footfall_trace *trace)
{
    static const char *names[] = {"found", "quality", "layout", "notes", "warnings"};
    SEXP result = PROTECT(LIST(names));
    library.analyzer_finish(analyzer);
    SEXP events = PROTECT(handle(library.analyzer_take(analyzer), end_events));
    SET_VECTOR_ELT(result, 0, event_lists(events));
    SET_VECTOR_ELT(result, 1, quality_list(analyzer));
    SET_VECTOR_ELT(result, 2, trace ? taken(library.trace_layout(trace)) : text(""));
    SET_VECTOR_ELT(result, 3, trace ? taken(library.trace_notes(trace)) : text(""));
    SET_VECTOR_ELT(result, 4, trace ? taken(library.trace_warnings(trace)) : text(""));
    UNPROTECT(2);
    return result;
}

/* ---- Analysis ---------------------------------------------------------------------------------------------------- */

/* Samples of one call: a tenth of a second of work. R handles interrupts between calls. */
enum { SAMPLES = 1 << 18, BATCHES = 64 };

static footfall_column column(const double *first, int32_t type)
{
    return (footfall_column){first, sizeof(double), type};
}

/* Analyzes a matrix of three columns, with times in seconds. */
static SEXP analyze_samples(SEXP time, SEXP xyz, SEXP per_g)
{
    SEXP analyzer = PROTECT(handle(library.analyzer_create(), end_analyzer));
    const size_t rows = (size_t)XLENGTH(time);
    const double *times = REAL(time), *x = REAL(xyz), *y = x + rows, *z = y + rows;
    for (size_t start = 0; start < rows; start += SAMPLES) {
        footfall_error error;
        const footfall_samples samples = {
            .count = rows - start < SAMPLES ? rows - start : SAMPLES,
            .time = column(times + start, FOOTFALL_FLOAT64_SECONDS),
            .x = column(x + start, FOOTFALL_FLOAT64),
            .y = column(y + start, FOOTFALL_FLOAT64),
            .z = column(z + start, FOOTFALL_FLOAT64),
            .per_g = asReal(per_g)};
        if (library.analyzer_add(R_ExternalPtrAddr(analyzer), &samples, &error)) {
            UNPROTECT(1);
            return failure(&error);
        }
        R_CheckUserInterrupt();
    }
    SEXP result = result_of(R_ExternalPtrAddr(analyzer), NULL);
    UNPROTECT(1);
    return result;
}

/* Reads and analyzes a log. The options are texts, numbers or NULL, in the order of footfall_trace_options. */
static SEXP analyze_log(SEXP path, SEXP given)
{
    footfall_error error;
    footfall_trace_options options = {
        .columns = optional_text(VECTOR_ELT(given, 0)),
        .rows = optional_text(VECTOR_ELT(given, 1)),
        .time_unit = optional_text(VECTOR_ELT(given, 2)),
        .time_zone = optional_text(VECTOR_ELT(given, 3)),
        .per_g = asReal(VECTOR_ELT(given, 4)),
        .rate = asReal(VECTOR_ELT(given, 5))};
    SEXP start = VECTOR_ELT(given, 6), zero = VECTOR_ELT(given, 7);
    if (!isNull(start)) {
        options.has_start = 1;
        options.start = llround(asReal(start) * 1e9);
    }
    if (!isNull(zero)) {
        options.has_zero = 1;
        for (int axis = 0; axis < 3; axis++) options.zero[axis] = (float)REAL(zero)[axis];
    }
    footfall_trace *opened = library.trace_open(translateChar(STRING_ELT(path, 0)), &options, &error);
    if (!opened) return failure(&error);
    SEXP trace = PROTECT(handle(opened, end_trace));
    SEXP analyzer = PROTECT(handle(library.analyzer_create(), end_analyzer));
    int32_t status = FOOTFALL_OK;
    while (status == FOOTFALL_OK) {
        status = library.analyzer_add_trace(R_ExternalPtrAddr(analyzer), opened, BATCHES, &error);
        R_CheckUserInterrupt();
    }
    SEXP result = status == FOOTFALL_END ? result_of(R_ExternalPtrAddr(analyzer), opened) : failure(&error);
    UNPROTECT(2);
    return result;
}

/* ---- Histories --------------------------------------------------------------------------------------------------- */

/* Records events. Returns the oldest time that the source has then, in seconds since 1970. */
static SEXP record(SEXP path, SEXP events, SEXP source, SEXP zone)
{
    footfall_error error;
    if (!R_ExternalPtrAddr(events)) {
        memset(&error, 0, sizeof error);
        error.status = FOOTFALL_USAGE;
        strcpy(error.problem, "the result was loaded from a file, which has no events");
        strcpy(error.remedy, "analyze the log again and record that result");
        return failure(&error);
    }
    footfall_history *opened = library.history_open(translateChar(STRING_ELT(path, 0)), 0, &error);
    if (!opened) return failure(&error);
    SEXP history = PROTECT(handle(opened, end_history));
    const char *name = optional_text(source);
    footfall_span extent;
    int32_t status = library.history_record(opened, R_ExternalPtrAddr(events), name, optional_text(zone), &error);
    if (!status) status = library.history_extent(opened, name, &extent, &error);
    end_history(history);
    UNPROTECT(1);
    return status ? failure(&error) : ScalarReal(seconds(extent.start));
}

static SEXP counts_list(const footfall_count *from, size_t count)
{
    static const char *names[] = {"start", "end", "steps", "coverage", "truncated"};
    SEXP list = PROTECT(LIST(names));
    for (int column = 0; column < 5; column++) {
        SEXP values = allocVector(REALSXP, count);
        SET_VECTOR_ELT(list, column, values);
        for (size_t i = 0; i < count; i++) {
            const double row[] = {seconds(from[i].start), seconds(from[i].end), (double)from[i].steps, from[i].coverage,
                                  from[i].is_truncated};
            REAL(values)[i] = row[column];
        }
    }
    UNPROTECT(1);
    return list;
}

/* Counts and events of a range. A bound that is NULL is the one of the source. */
static SEXP query(SEXP path, SEXP source, SEXP since, SEXP until, SEXP by)
{
    static const char *names[] = {"counts", "found"};
    footfall_error error;
    footfall_history *opened = library.history_open(translateChar(STRING_ELT(path, 0)), 1, &error);
    if (!opened) return failure(&error);
    SEXP history = PROTECT(handle(opened, end_history));
    footfall_span extent;
    const char *name = optional_text(source);
    SEXP result = PROTECT(LIST(names));
    int32_t failed = library.history_extent(opened, name, &extent, &error);
    if (!failed) {
        /* The range ends after the newest event. One beside the extent is empty. */
        int64_t start = extent.start, end = extent.end + 1;
        if (!isNull(since)) {
            start = llround(asReal(since) * 1e9);
            if (end < start) end = start;
        }
        if (!isNull(until)) {
            end = llround(asReal(until) * 1e9);
            if (isNull(since) && end < start) start = end;
        }
        size_t count;
        footfall_count *counts = library.history_steps(opened, name, start, end, asInteger(by), &count, &error);
        footfall_events *events = counts ? library.history_events(opened, name, start, end, &error) : NULL;
        failed = !events;
        if (counts) SET_VECTOR_ELT(result, 0, counts_list(counts, count));
        if (counts) library.counts_free(counts);
        if (events) SET_VECTOR_ELT(result, 1, event_lists(PROTECT(handle(events, end_events))));
        if (events) UNPROTECT(1);
    }
    end_history(history);
    UNPROTECT(2);
    return failed ? failure(&error) : result;
}

static const R_CallMethodDef calls[] = {
    {"load_library", (DL_FUNC)&load_library, 1},
    {"analyze_samples", (DL_FUNC)&analyze_samples, 3},
    {"analyze_log", (DL_FUNC)&analyze_log, 2},
    {"record", (DL_FUNC)&record, 4},
    {"query", (DL_FUNC)&query, 5},
    {NULL, NULL, 0}};

void R_init_footfall(DllInfo *info)
{
    R_registerRoutines(info, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
}
