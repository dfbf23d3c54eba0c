/* Uses every function of footfall.h, also with wrong arguments. Exits with 0 if all answers are right. */
#include "footfall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                            \
    do {                                                                             \
        if (!(condition)) {                                                          \
            failures += 1;                                                           \
            fprintf(stderr, "interface.c:%d: not true: %s\n", __LINE__, #condition); \
        }                                                                            \
    } while (0)

enum { STEPS_OF_THE_TRACE = 568 };

/* The samples of a trace as rows of doubles: seconds, x, y, z. */
typedef struct {
    double (*rows)[4];
    size_t count;
} table;

static table read_trace(const char *path) {
    table table = {NULL, 0};
    footfall_error error;
    footfall_trace *trace = footfall_trace_open(path, NULL, &error);
    EXPECT(trace != NULL);
    footfall_batch batch;
    int32_t status;
    while ((status = footfall_trace_next(trace, &batch, &error)) == FOOTFALL_OK) {
        EXPECT(batch.count > 0 && batch.count <= 4096);
        table.rows = realloc(table.rows, (table.count + batch.count) * sizeof *table.rows);
        for (size_t i = 0; i < batch.count; i++) {
            double *row = table.rows[table.count++];
            row[0] = (double)batch.time[i] / 1e9;
            row[1] = batch.x[i];
            row[2] = batch.y[i];
            row[3] = batch.z[i];
        }
    }
    EXPECT(status == FOOTFALL_END && footfall_trace_next(trace, &batch, &error) == FOOTFALL_END && batch.count == 0);
    EXPECT(footfall_trace_progress(trace) > 0.99);
    char *layout = footfall_trace_layout(trace), *notes = footfall_trace_notes(trace);
    char *warnings = footfall_trace_warnings(trace);
    EXPECT(strstr(layout, "CSV") != NULL && notes != NULL && strlen(warnings) == 0);
    footfall_free(layout);
    footfall_free(notes);
    footfall_free(warnings);
    footfall_trace_destroy(trace);
    return table;
}

/* Columns of a table whose rows are `step` apart; a negative step reads it from its end. */
static footfall_samples columns(table table, size_t from, size_t count) {
    footfall_samples samples = {.count = count, .per_g = 1};
    footfall_column *all[] = {&samples.time, &samples.x, &samples.y, &samples.z};
    for (int i = 0; i < 4; i++) {
        all[i]->first = &table.rows[from][i];
        all[i]->stride = sizeof *table.rows;
        all[i]->type = i == 0 ? FOOTFALL_FLOAT64_SECONDS : FOOTFALL_FLOAT64;
    }
    return samples;
}

static size_t count_of_steps(const footfall_events *events) {
    size_t count;
    const footfall_step *steps = footfall_events_steps(events, &count);
    for (size_t i = 0; i < count; i++) {
        EXPECT(steps[i].quality >= 0 && steps[i].quality <= 1 && (i == 0 || steps[i].time > steps[i - 1].time));
    }
    return count;
}

static void samples_give_steps_and_segments(table table) {
    footfall_analyzer *analyzer = footfall_analyzer_create();
    footfall_error error;
    for (size_t from = 0; from < table.count; from += 1000) {
        size_t count = table.count - from < 1000 ? table.count - from : 1000;
        footfall_samples samples = columns(table, from, count);
        EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_OK);
    }
    footfall_events *provisional = footfall_analyzer_provisional(analyzer);
    footfall_events *settled = footfall_analyzer_take(analyzer);
    footfall_analyzer_finish(analyzer);
    footfall_events *rest = footfall_analyzer_take(analyzer);
    EXPECT(count_of_steps(settled) + count_of_steps(rest) == STEPS_OF_THE_TRACE);
    EXPECT(count_of_steps(provisional) == count_of_steps(rest));
    size_t segments, joined, gaps;
    footfall_events_segments(settled, &segments);
    footfall_events_join(settled);
    const footfall_segment *activities = footfall_events_segments(settled, &joined);
    EXPECT(joined > 3 && joined <= segments && activities[0].activity == FOOTFALL_STATIONARY);
    EXPECT(activities[1].activity == FOOTFALL_WALKING && activities[1].start == activities[0].end);
    EXPECT(footfall_events_gaps(settled, &gaps) != NULL || gaps == 0);
    footfall_quality quality;
    footfall_analyzer_quality(analyzer, &quality);
    EXPECT(quality.samples == (int64_t)table.count && fabs(quality.rate - 50) < 0.1 && quality.start < quality.end);
    footfall_events_destroy(provisional);
    footfall_events_destroy(settled);
    footfall_events_destroy(rest);
    footfall_analyzer_destroy(analyzer);
}

static void seconds_tell_why_there_are_steps(table table) {
    footfall_analyzer *analyzer = footfall_analyzer_create();
    footfall_error error;
    EXPECT(footfall_analyzer_record_seconds(analyzer, &error) == FOOTFALL_OK);
    footfall_samples samples = columns(table, 0, table.count);
    EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_OK);
    EXPECT(footfall_analyzer_record_seconds(analyzer, &error) == FOOTFALL_USAGE && strlen(error.remedy) > 0);
    footfall_analyzer_finish(analyzer);
    size_t count, again;
    footfall_second *seconds = footfall_analyzer_take_seconds(analyzer, &count);
    EXPECT(count == 660 && footfall_analyzer_take_seconds(analyzer, &again) == NULL && again == 0);
    uint32_t steps = 0, driven = 0;
    for (size_t i = 0; i < count; i++) {
        EXPECT(i == 0 || seconds[i].start > seconds[i - 1].start);
        EXPECT(seconds[i].steps == 0 || seconds[i].bout == FOOTFALL_BOUT_CONFIRMED);
        EXPECT(seconds[i].steps == 0 || seconds[i].decision == FOOTFALL_BOUT);
        EXPECT(isnan(seconds[i].gate_score) == (seconds[i].candidates == 0));
        steps += seconds[i].steps;
        driven += seconds[i].activity == FOOTFALL_AUTOMOTIVE && seconds[i].states[3] > 0.5;
    }
    EXPECT(steps == STEPS_OF_THE_TRACE && driven > 100);
    footfall_seconds_free(seconds);
    footfall_analyzer_destroy(analyzer);
}

static footfall_events *analyze_trace(const char *path, int64_t start) {
    footfall_trace_options options = {.start = start, .has_start = 1, .columns = "time,x,y,z", .per_g = 1};
    footfall_error error;
    footfall_trace *trace = footfall_trace_open(path, &options, &error);
    footfall_analyzer *analyzer = footfall_analyzer_create();
    int32_t status;
    do {
        status = footfall_analyzer_add_trace(analyzer, trace, 3, &error);
    } while (status == FOOTFALL_OK);
    EXPECT(status == FOOTFALL_END);
    footfall_analyzer_finish(analyzer);
    footfall_events *events = footfall_analyzer_take(analyzer);
    footfall_analyzer_destroy(analyzer);
    footfall_trace_destroy(trace);
    return events;
}

static void a_history_counts_what_was_recorded(const char *trace, const char *path) {
    const int64_t start = INT64_C(1795161600000000000);
    footfall_events *events = analyze_trace(trace, start);
    footfall_error error;
    footfall_history *history = footfall_history_open(path, 0, &error);
    EXPECT(history != NULL);
    EXPECT(footfall_history_record(history, events, "wrist", "Europe/Berlin", &error) == FOOTFALL_OK);
    char *source = footfall_history_source(history, &error);
    EXPECT(source != NULL && strcmp(source, "wrist") == 0);
    footfall_free(source);
    footfall_span extent;
    EXPECT(footfall_history_extent(history, NULL, &extent, &error) == FOOTFALL_OK && extent.start == start);
    size_t count;
    footfall_count *counts =
        footfall_history_steps(history, "wrist", extent.start, extent.end, FOOTFALL_WHOLE, &count, &error);
    EXPECT(count == 1 && counts[0].steps == STEPS_OF_THE_TRACE && counts[0].coverage > 650 && !counts[0].is_truncated);
    footfall_counts_free(counts);
    counts = footfall_history_steps(history, NULL, extent.start, extent.end, 1, &count, &error);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += counts[i].steps;
    EXPECT(count == 11 && sum == STEPS_OF_THE_TRACE);
    footfall_counts_free(counts);
    footfall_events *kept = footfall_history_events(history, NULL, 0, extent.end + 1, &error);
    EXPECT(count_of_steps(kept) == STEPS_OF_THE_TRACE);
    EXPECT(footfall_events_gaps(kept, &count) != NULL && count == 0);
    footfall_events_destroy(kept);
    EXPECT(footfall_history_steps(history, "ankle", 0, 1, FOOTFALL_WHOLE, &count, &error) == NULL);
    EXPECT(error.status == FOOTFALL_USAGE && strstr(error.problem, "ankle") != NULL && count == 0);
    EXPECT(strcmp(error.path, path) == 0 && strstr(error.problem, path) == NULL);
    EXPECT(strcmp(error.remedy, "name one of them") == 0);
    EXPECT(footfall_history_steps(history, NULL, 0, 1, -99, &count, &error) == NULL);
    EXPECT(footfall_history_steps(history, NULL, 1, 0, FOOTFALL_BY_DAY, &count, &error) == NULL);
    EXPECT(footfall_history_record(history, events, "wrist", "Mars/Olympus", &error) == FOOTFALL_USAGE);
    footfall_events *ahead = analyze_trace(trace, INT64_C(4070908800000000000));
    EXPECT(footfall_history_record(history, ahead, "wrist", NULL, &error) == FOOTFALL_BAD_DATA);
    EXPECT(strstr(error.problem, "ahead of the clock (up to 2099-01-01") != NULL);
    footfall_events_destroy(ahead);
    EXPECT(footfall_history_open(path, 0, &error) == NULL && error.status == FOOTFALL_FAILURE);
    footfall_history_destroy(history);
    history = footfall_history_open(path, 1, &error);
    EXPECT(footfall_history_record(history, events, "wrist", NULL, &error) == FOOTFALL_USAGE);
    footfall_history_destroy(history);
    footfall_events_destroy(events);
}

static void a_log_is_explained(const char *path) {
    footfall_error error;
    char *text = footfall_trace_explain(path, NULL, &error);
    EXPECT(text != NULL && strstr(text, "\"role\":\"time\"") != NULL && strstr(text, "\"layout\":\"CSV") != NULL);
    footfall_free(text);
    EXPECT(footfall_trace_explain("/none.csv", NULL, &error) == NULL && error.status == FOOTFALL_MISSING);
    EXPECT(footfall_trace_explain(NULL, NULL, &error) == NULL && error.status == FOOTFALL_USAGE);
}

static void wrong_arguments_are_errors(const char *path, table table) {
    footfall_error error;
    EXPECT(footfall_trace_open("/none.csv", NULL, &error) == NULL && error.status == FOOTFALL_MISSING);
    EXPECT(strcmp(error.path, "/none.csv") == 0 && strlen(error.problem) > 0);
    EXPECT(footfall_trace_open("/none.csv", NULL, NULL) == NULL && footfall_trace_open(NULL, NULL, &error) == NULL);
    const footfall_trace_options wrong[] = {
        {.columns = "a"}, {.rows = "a"}, {.time_unit = "weeks"}, {.time_zone = "Mars"}, {.per_g = -1},
        {.per_g = NAN}, {.rate = NAN}, {.rate = -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT(footfall_trace_open("/none.csv", &wrong[i], &error) == NULL && error.status == FOOTFALL_USAGE);
    }
    footfall_analyzer *analyzer = footfall_analyzer_create();
    footfall_samples samples = columns(table, 0, 10);
    EXPECT(footfall_analyzer_add(NULL, &samples, &error) == FOOTFALL_USAGE);
    EXPECT(footfall_analyzer_add(analyzer, NULL, &error) == FOOTFALL_USAGE);
    EXPECT(footfall_analyzer_add_trace(analyzer, NULL, 1, &error) == FOOTFALL_USAGE);
    samples.x.first = NULL;
    EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_USAGE);
    samples = columns(table, 0, 10);
    samples.time.type = FOOTFALL_FLOAT32;
    EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_USAGE);
    samples = columns(table, 0, 10);
    samples.per_g = 0;
    EXPECT(footfall_analyzer_add(analyzer, &samples, NULL) == FOOTFALL_USAGE);
    samples = columns(table, 0, 10);
    samples.count = SIZE_MAX;
    EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_USAGE);
    EXPECT(strstr(error.problem, "18446744073709551615") != NULL);
    footfall_trace *trace = footfall_trace_open(path, NULL, &error);
    EXPECT(footfall_analyzer_add_trace(analyzer, trace, SIZE_MAX, &error) == FOOTFALL_USAGE);
    footfall_trace_destroy(trace);
    const footfall_trace_options never = {.has_start = 1, .start = INT64_MAX};
    EXPECT(footfall_trace_open(path, &never, &error) == NULL && error.status == FOOTFALL_USAGE);
    samples = columns(table, 0, 0);
    samples.time.first = samples.x.first = samples.y.first = samples.z.first = NULL;
    EXPECT(footfall_analyzer_add(analyzer, &samples, &error) == FOOTFALL_OK);
    footfall_analyzer_destroy(analyzer);
    size_t count = 1;
    EXPECT(footfall_events_steps(NULL, &count) == NULL && count == 0 && footfall_events_gaps(NULL, NULL) == NULL);
    EXPECT(footfall_analyzer_record_seconds(NULL, &error) == FOOTFALL_USAGE);
    EXPECT(footfall_analyzer_take_seconds(NULL, &count) == NULL && count == 0);
    footfall_seconds_free(NULL);
    EXPECT(footfall_analyzer_take(NULL) == NULL && footfall_trace_layout(NULL) == NULL);
    footfall_batch batch;
    EXPECT(footfall_trace_next(NULL, &batch, &error) == FOOTFALL_USAGE);
    EXPECT(footfall_trace_next(NULL, NULL, &error) == FOOTFALL_USAGE);
    footfall_analyzer_destroy(NULL);
    footfall_trace_destroy(NULL);
    footfall_events_destroy(NULL);
    footfall_history_destroy(NULL);
    footfall_counts_free(NULL);
    footfall_free(NULL);
}

/* Any sizes, strides and values: nothing may be read outside the table, which the sanitizer checks. */
static void random_samples_never_crash(table table) {
    srand(36);
    for (int round = 0; round < 200; round++) {
        footfall_analyzer *analyzer = footfall_analyzer_create();
        size_t count = (size_t)rand() % 2000, from = (size_t)rand() % (table.count - 4000);
        footfall_samples samples = columns(table, from + 2000, count);
        samples.per_g = pow(10, rand() % 9 - 3);
        ptrdiff_t step = rand() % 3 - 1;
        samples.time.stride *= step;
        samples.x.stride *= rand() % 2 ? 1 : -1;
        double damage[] = {NAN, INFINITY, -INFINITY, 1e308, -1e300};
        double *place = &table.rows[from + 2000 + (size_t)rand() % 500][rand() % 4];
        double before = *place;
        *place = damage[rand() % 5];
        EXPECT(footfall_analyzer_add(analyzer, &samples, NULL) == FOOTFALL_OK);
        *place = before;
        footfall_analyzer_finish(analyzer);
        footfall_events_destroy(footfall_analyzer_take(analyzer));
        footfall_analyzer_destroy(analyzer);
    }
}

int main(int count, char **arguments) {
    if (count != 3 || footfall_abi_version() != FOOTFALL_ABI_VERSION) return 2;
    table table = read_trace(arguments[1]);
    samples_give_steps_and_segments(table);
    seconds_tell_why_there_are_steps(table);
    a_history_counts_what_was_recorded(arguments[1], arguments[2]);
    a_log_is_explained(arguments[1]);
    wrong_arguments_are_errors(arguments[1], table);
    random_samples_never_crash(table);
    free(table.rows);
    printf("The C interface: %s.\n", failures ? "not as described" : "as described");
    return failures ? 1 : 0;
}
