/* Calls the functions of footfall.h with random arguments for some seconds: any sizes, strides, types, units and values, empty
 * and reversed times, events of any moment in histories. Only crashes, reports of a sanitizer, and answers that break a promise
 * of the header end it. Usage: fuzz SECONDS HISTORY [SEED] */
#include "footfall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 6000, WIDEST = 64 };

static uint64_t state;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint64_t below(uint64_t bound) { return next() % bound; }
static double unit(void) { return (double)(next() >> 11) / 9007199254740992.0; }

static void check(int condition, const char *promise) {
    if (condition) return;
    fprintf(stderr, "fuzz.c: broken: %s\n", promise);
    exit(1);
}

static double strange(void) {
    const double values[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e-310, 0, -0.0, 1e18, 9.3e18, -62135596800.0};
    return values[below(sizeof values / sizeof *values)];
}

/* A column in memory of its exact size, so that a sanitizer finds every read outside of it. */
static void *column(footfall_column *column, size_t count, int is_time, double start, double rate) {
    const int32_t types[] = {FOOTFALL_INT64_NANOSECONDS, FOOTFALL_FLOAT64_SECONDS, FOOTFALL_FLOAT32, FOOTFALL_FLOAT64};
    column->type = below(200) == 0 ? (int32_t)below(6) - 1 : types[is_time ? below(2) : 2 + below(2)];
    const size_t size = column->type == FOOTFALL_FLOAT32 ? 4 : 8;
    const ptrdiff_t step = (ptrdiff_t)(size + (below(2) ? 0 : below(WIDEST)));
    const size_t bytes = count == 0 ? 0 : (count - 1) * (size_t)step + size;
    char *memory = malloc(bytes + 1);
    const int is_reversed = below(8) == 0, is_constant = below(16) == 0;
    column->stride = is_constant ? 0 : is_reversed ? -step : step;
    column->first = is_reversed && count > 0 && !is_constant ? memory + (count - 1) * (size_t)step : memory;
    const double oddity = below(3) ? 0 : 0.01;
    double time = start;
    for (size_t i = 0; i < count; i++) {
        time += (below(50) ? 1 : below(20)) / rate;
        double value = is_time ? time : sin(time * 12) * 0.4 + unit() * 0.1 + (double)(is_reversed);
        if (unit() < oddity) value = strange();
        char *place = memory + i * (size_t)step;
        const float single = (float)value;
        const int64_t whole = value > -9.2e9 && value < 9.2e9 ? (int64_t)(value * 1e9) : (int64_t)next();
        if (size == 4) memcpy(place, &single, 4);
        else if (column->type == FOOTFALL_INT64_NANOSECONDS) memcpy(place, &whole, 8);
        else memcpy(place, &value, 8);
    }
    return memory;
}

static void look_at(footfall_events *events) {
    size_t steps, segments, gaps;
    const footfall_step *step = footfall_events_steps(events, &steps);
    for (size_t i = 1; i < steps; i++) check(step[i].time > step[i - 1].time, "steps are in order");
    if (below(2)) footfall_events_join(events);
    const footfall_segment *segment = footfall_events_segments(events, &segments);
    for (size_t i = 0; i < segments; i++) {
        check(segment[i].start < segment[i].end && segment[i].activity <= FOOTFALL_UNKNOWN, "a segment has a span");
        check(i == 0 || segment[i].start >= segment[i - 1].end, "segments are in order");
    }
    const footfall_span *gap = footfall_events_gaps(events, &gaps);
    for (size_t i = 0; i < gaps; i++) check(gap[i].start < gap[i].end, "a gap has a span");
}

static void look_at_seconds(footfall_analyzer *analyzer, int is_recorded) {
    size_t count;
    footfall_second *seconds = footfall_analyzer_take_seconds(analyzer, &count);
    check(is_recorded || count == 0, "seconds are recorded on demand");
    for (size_t i = 0; i < count; i++) {
        check(i == 0 || seconds[i].start > seconds[i - 1].start, "seconds are in order");
        check(seconds[i].activity <= FOOTFALL_UNKNOWN && seconds[i].bout <= FOOTFALL_BOUT_CONFIRMED &&
                  seconds[i].decision <= FOOTFALL_BOUT, "a second is known");
    }
    footfall_seconds_free(seconds);
}

static void measure(const footfall_samples *samples) {
    footfall_error error;
    footfall_gait_inputs *inputs = footfall_gait_inputs_create(samples, &error);
    size_t count;
    const footfall_gait_signal *signals = footfall_gait_inputs_signals(inputs, &count);
    check(inputs != NULL || (count == 0 && error.status == FOOTFALL_USAGE), "samples are measured, or the call is wrong");
    for (size_t i = 0; i < count; i++) {
        check(signals[i].value_count >= 25 && signals[i].second_count > 0, "a signal has a second");
        /* The last values of the arrays, so that a sanitizer finds a short one. */
        volatile float sum = signals[i].values[signals[i].value_count * FOOTFALL_GAIT_LANES - 1];
        sum += signals[i].inputs[signals[i].second_count * FOOTFALL_CADENCES * FOOTFALL_GAIT_INPUTS - 1];
        check(signals[i].cadences[signals[i].second_count * FOOTFALL_CADENCES - 1] >= 0, "a cadence is none or positive");
    }
    footfall_gait_inputs_destroy(inputs);
    footfall_window *windows = footfall_windows_measure(samples, &count, &error);
    check(windows != NULL || (count == 0 && error.status == FOOTFALL_USAGE), "samples are measured, or the call is wrong");
    for (size_t i = 0; i < count; i++) {
        check(i == 0 || windows[i].second > windows[i - 1].second, "windows are in order");
        check(windows[i].rms >= 0 && windows[i].rate >= 0, "a window is measured");
    }
    footfall_windows_free(windows);
}

static void ask(footfall_history *history) {
    footfall_error error;
    footfall_span extent;
    if (footfall_history_extent(history, "a", &extent, &error) != FOOTFALL_OK) return;
    const int32_t by[] = {FOOTFALL_WHOLE, FOOTFALL_BY_HOUR, FOOTFALL_BY_DAY, FOOTFALL_BY_WEEK, 1, 1440, -7, 90000};
    int64_t start = below(4) ? extent.start : (int64_t)next(), end = below(4) ? extent.end : (int64_t)next();
    size_t count;
    footfall_count *counts = footfall_history_steps(history, "a", start, end, by[below(8)], &count, &error);
    check(counts != NULL || count == 0, "a failed call counts nothing");
    footfall_counts_free(counts);
    footfall_events *events = footfall_history_events(history, below(2) ? "a" : NULL, start, end, &error);
    if (events != NULL) look_at(events);
    footfall_events_destroy(events);
}

static void round_of(footfall_history *history) {
    footfall_analyzer *analyzer = footfall_analyzer_create();
    footfall_error error;
    const double rates[] = {1, 8, 12.5, 50, 100, 1000};
    double start = below(4) ? 1.79e9 : unit() * 8e9 - 2e9, rate = rates[below(6)];
    int64_t received = 0;
    const int is_recorded = below(3) == 0;
    if (is_recorded) footfall_analyzer_record_seconds(analyzer, &error);
    for (uint64_t call = below(5); call < 6; call++) {
        footfall_samples samples = {.count = below(8) ? below(MOST) : below(3), .per_g = below(30) ? 1 : strange()};
        footfall_column *all[] = {&samples.time, &samples.x, &samples.y, &samples.z};
        void *memory[4];
        for (int i = 0; i < 4; i++) memory[i] = column(all[i], samples.count, i == 0, start, rate);
        int32_t status = footfall_analyzer_add(analyzer, below(500) ? &samples : NULL, &error);
        check(status == FOOTFALL_OK || status == FOOTFALL_USAGE, "samples are added, or the call is wrong");
        if (status == FOOTFALL_OK) received += (int64_t)samples.count;
        if (below(8) == 0) measure(below(50) ? &samples : NULL);
        for (int i = 0; i < 4; i++) free(memory[i]);
        start += samples.count / rate;
        if (below(3) == 0) look_at_seconds(analyzer, is_recorded);
        footfall_quality quality;
        footfall_analyzer_quality(analyzer, &quality);
        check(quality.samples == received, "every sample counts");
        if (below(3) == 0) {
            footfall_events *events = footfall_analyzer_provisional(analyzer);
            look_at(events);
            footfall_events_destroy(events);
        }
    }
    if (below(8)) footfall_analyzer_finish(analyzer);
    if (below(2)) look_at_seconds(analyzer, is_recorded);
    footfall_events *events = footfall_analyzer_take(analyzer);
    look_at(events);
    if (history != NULL && below(4) == 0) {
        footfall_history_record(history, events, below(20) ? "a" : "", below(4) ? NULL : "Europe/Berlin", &error);
        ask(history);
    }
    footfall_events_destroy(events);
    footfall_analyzer_destroy(analyzer);
}

int main(int count, char **arguments) {
    if (count < 3 || footfall_abi_version() != FOOTFALL_ABI_VERSION) return 64;
    state = count > 3 ? strtoull(arguments[3], NULL, 10) : (uint64_t)time(NULL) * 2 + 1;
    const uint64_t seed = state;
    footfall_error error;
    footfall_history *history = footfall_history_open(arguments[2], 0, &error);
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    const time_t end = time(NULL) + atoi(arguments[1]);
    long rounds = 0;
    for (; time(NULL) < end; rounds++) round_of(history);
    footfall_history_destroy(history);
    printf("The C interface: %ld random rounds, clean.\n", rounds);
}
