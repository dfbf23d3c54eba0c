/* Footfall in C: samples in, steps and activities out; sensor logs; histories.
 *
 * Link with libFootfallC. All times are nanoseconds since 1970-01-01T00:00:00Z in UTC unless a comment says otherwise.
 * Acceleration is in g, gravity included.
 *
 * - A handle belongs to the caller, who ends it with the function …_destroy. NULL is allowed there.
 * - Each handle may be used from any thread, by one call at a time; a second call waits. Calls on different handles run
 *   side by side.
 * - A function that can fail returns a status or NULL and fills a footfall_error, unless that is NULL.
 * - Text is UTF-8. Text that a function returns as char * belongs to the caller, who frees it with footfall_free.
 * - Arrays that a function returns as a const pointer belong to the handle and live as long as it, or as the comment
 *   says.
 */
#ifndef FOOTFALL_H
#define FOOTFALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows when a function or a structure changes its meaning or its layout. */
#define FOOTFALL_ABI_VERSION 1

/* The version of the interface in the library. A program compares it with FOOTFALL_ABI_VERSION before any other
 * call. */
uint32_t footfall_abi_version(void);

/* Frees a text that a function returned as char *. NULL is allowed. */
void footfall_free(char *text);

/* ---- Status and errors ------------------------------------------------------------------------------------------- */

enum {
    FOOTFALL_OK = 0,
    FOOTFALL_END = 1,        /* a trace has no more samples */
    FOOTFALL_USAGE = 64,     /* an argument is missing or invalid */
    FOOTFALL_BAD_DATA = 65,  /* the content of a file cannot be used */
    FOOTFALL_MISSING = 66,   /* a file cannot be opened or read */
    FOOTFALL_FAILURE = 74    /* storage fails */
};

/* Why a call failed: what, where, and what to do. Texts end with NUL; a longer text is cut at a character. */
typedef struct {
    int32_t status;      /* one of the values above */
    int64_t line;        /* the line in the file, from 1; 0 if the problem concerns the whole file */
    char path[1024];     /* the file; empty without one */
    char problem[2048];
    char remedy[1024];   /* empty without one */
} footfall_error;

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* The values of footfall_segment.activity. */
enum {
    FOOTFALL_STATIONARY = 0,
    FOOTFALL_WALKING = 1,
    FOOTFALL_RUNNING = 2,
    FOOTFALL_AUTOMOTIVE = 3,
    FOOTFALL_CYCLING = 4,
    FOOTFALL_UNKNOWN = 5
};

/* The values of footfall_segment.reason: why the activity is unknown. */
enum {
    FOOTFALL_NO_REASON = 0,
    FOOTFALL_TOO_SHORT = 1, /* the contiguous signal is shorter than five seconds */
    FOOTFALL_LOW_RATE = 2,  /* fewer than 8 samples a second and no rest, or fewer than 4 */
    FOOTFALL_HANDLED = 3,   /* the device moves as in busy hands */
    FOOTFALL_UNCLEAR = 4,   /* the most likely activity is more likely wrong than right */
    FOOTFALL_NOT_WORN = 5,  /* the sensor lies still for an hour or more */
    FOOTFALL_EXERCISE = 6   /* hops on one spot, such as jumping jacks, which have no steps */
};

/* An initial contact of a foot. */
typedef struct {
    int64_t time;
    float quality;    /* how much the second of the contact resembles gait, 0 to 1 */
    uint32_t padding; /* 0 */
} footfall_step;

/* A half-open span with one activity. */
typedef struct {
    int64_t start, end;
    int64_t steps;       /* the steps with start <= time < end */
    float probability;   /* that the activity is right, 0 to 1 */
    uint8_t activity;
    uint8_t is_halt;     /* 1 for a halt, such as a red light in a drive */
    uint8_t confidence;  /* 0 low, 1 medium, 2 high */
    uint8_t reason;
} footfall_segment;

/* A half-open span. */
typedef struct {
    int64_t start, end;
} footfall_span;

/* Steps, segments and gaps, each in order of time. */
typedef struct footfall_events footfall_events;

void footfall_events_destroy(footfall_events *events);
const footfall_step *footfall_events_steps(const footfall_events *events, size_t *count);
/* The segments tile the covered time. Touching ones may have the same activity; see footfall_events_join. */
const footfall_segment *footfall_events_segments(const footfall_events *events, size_t *count);
/* The spans without samples between spans with samples. */
const footfall_span *footfall_events_gaps(const footfall_events *events, size_t *count);
/* The spans in which the sensor was not worn; touching ones are joined. The segments remain what they are. */
const footfall_span *footfall_events_non_wear(const footfall_events *events, size_t *count);
/* Joins touching segments that differ by halts at most, and lays non-wear over them, as the command shows them.
 * Pointers to segments become invalid. */
void footfall_events_join(footfall_events *events);

/* Counts of the samples so far. */
typedef struct {
    int64_t samples;    /* received, used or not */
    int64_t duplicates; /* dropped: they repeat the sample before */
    int64_t backward;   /* dropped: their time steps back */
    int64_t leaping;    /* dropped: their time leaps more than seven days ahead */
    int64_t unusable;   /* dropped: a value is not finite or beyond 4e9 g, or the time lies outside 1900 to 2150 */
    int64_t impulses;   /* dropped: isolated samples that no motion of a body can make */
    int64_t gaps;
    double coverage;    /* the time covered by samples, in seconds */
    double rate;        /* the measured rate in Hz; 0 for fewer than two samples */
    int64_t start, end; /* of the used samples; both 0 without any */
} footfall_quality;

/* ---- Analysis ---------------------------------------------------------------------------------------------------- */

/* The types of columns. */
enum {
    FOOTFALL_INT64_NANOSECONDS = 0, /* times only, since 1970 */
    FOOTFALL_FLOAT64_SECONDS = 1,   /* times only, since 1970 */
    FOOTFALL_FLOAT32 = 2,           /* accelerations only */
    FOOTFALL_FLOAT64 = 3            /* accelerations only */
};

/* A column: its first value, the distance between values in bytes (it may be negative), and the type of the values.
 * Values need no alignment. */
typedef struct {
    const void *first;
    ptrdiff_t stride;
    int32_t type;
} footfall_column;

/* Samples as columns of equal length. */
typedef struct {
    size_t count;
    footfall_column time, x, y, z;
    double per_g;            /* how many units of x, y, z are one g: 1 for g, 9.80665 for m/s2 */
    int32_t is_unit_assumed; /* 1 if `per_g` is assumed: then no activity has high confidence */
    int32_t padding;         /* 0 */
} footfall_samples;

typedef struct footfall_analyzer footfall_analyzer;
typedef struct footfall_trace footfall_trace;

footfall_analyzer *footfall_analyzer_create(void);
void footfall_analyzer_destroy(footfall_analyzer *analyzer);
/* Analyzes samples, in order of time. Samples that cannot be used are counted, see footfall_analyzer_quality. The
 * division of a series into calls has no effect. The samples are not kept. */
int32_t footfall_analyzer_add(footfall_analyzer *analyzer, const footfall_samples *samples, footfall_error *error);
/* Reads at most `batches` batches of a trace, of at most 4096 samples each, and analyzes them. Returns FOOTFALL_OK if
 * the trace may have more samples, and FOOTFALL_END after the last one. */
int32_t footfall_analyzer_add_trace(
    footfall_analyzer *analyzer, footfall_trace *trace, size_t batches, footfall_error *error);
/* Settles all waiting events, because the series is over. */
void footfall_analyzer_finish(footfall_analyzer *analyzer);
/* The events that were settled since the last call. They never change. */
footfall_events *footfall_analyzer_take(footfall_analyzer *analyzer);
/* The events that would follow if the samples ended here. Later samples may change each of them. */
footfall_events *footfall_analyzer_provisional(footfall_analyzer *analyzer);
void footfall_analyzer_quality(footfall_analyzer *analyzer, footfall_quality *quality);

/* ---- Seconds ----------------------------------------------------------------------------------------------------- */

/* The lengths of the arrays of footfall_second. */
enum { FOOTFALL_FEATURES = 16, FOOTFALL_CLASSES = 6, FOOTFALL_STATES = 8 };

/* The values of footfall_second.bout. */
enum {
    FOOTFALL_NO_BOUT = 0,        /* no cadence is followed */
    FOOTFALL_BOUT_CANDIDATE = 1, /* a cadence is followed; the evidence is not sufficient */
    FOOTFALL_BOUT_CONFIRMED = 2  /* the second is part of a bout */
};

/* The values of footfall_second.decision: why a second has steps, or none. */
enum {
    FOOTFALL_NO_CADENCE = 0,   /* no cadence is steady and resembles gait */
    FOOTFALL_OTHER_RHYTHM = 1, /* the walking check takes the cadence for a hand, a pedal or a machine */
    FOOTFALL_UNCONFIRMED = 2,  /* a cadence of gait, too shortly or too weakly for a bout */
    FOOTFALL_BOUT = 3          /* part of a bout */
};

/* What each stage computes for one second: why it has steps, or none. A number that a stage did not compute is NaN: a
 * still second has no cadence, a second of a bout no features. The class AnalyzedSecond of the documentation explains
 * each value. */
typedef struct {
    int64_t start;
    double gate_cadence;               /* the cadence with the highest score of the walking gate, in steps a minute */
    double cadence;                    /* the cadence that is kept, in steps a minute; NaN if not on foot */
    float gate_score;                  /* the highest score of the walking gate, in log-odds */
    float check;                       /* gait against other rhythms, from this second alone, in log-odds */
    float check_sum;                   /* the same over the last minutes; below 0 the cadence does not count */
    float features[FOOTFALL_FEATURES]; /* of the window of five seconds: energy of six bands, verticality of three,
                                        * linearity of three, entropy, strongest and calmest eighth, turn of gravity */
    float classes[FOOTFALL_CLASSES];   /* probabilities from the window alone: stationary, walking, running, automotive,
                                        * cycling, handled */
    float states[FOOTFALL_STATES];     /* probabilities given all seconds around: stationary, walking, running, moving,
                                        * stopped, cycling, handled, busy */
    float probability;                 /* that the settled activity is right, 0 to 1 */
    uint32_t candidates;               /* the cadences that the gate scores */
    uint32_t steps;
    uint8_t activity;                  /* settled; the values of footfall_segment.activity */
    uint8_t reason;                    /* the values of footfall_segment.reason, without FOOTFALL_NOT_WORN */
    uint8_t bout;
    uint8_t decision;
    uint8_t padding[4];                /* 0 */
} footfall_second;

/* Makes an analyzer record its seconds. Call it before the first samples: FOOTFALL_USAGE after them. It changes no
 * event. */
int32_t footfall_analyzer_record_seconds(footfall_analyzer *analyzer, footfall_error *error);
/* The seconds that were settled since the last call, in order of time: each that samples cover in any part. The caller
 * frees the array with footfall_seconds_free. Returns NULL and a count of 0 if there are none. */
footfall_second *footfall_analyzer_take_seconds(footfall_analyzer *analyzer, size_t *count);
void footfall_seconds_free(footfall_second *seconds);

/* ---- Training ---------------------------------------------------------------------------------------------------- */

/* The cadences of a second, the inputs of each for the networks of the step detector, and the numbers of a value. */
enum { FOOTFALL_CADENCES = 6, FOOTFALL_GAIT_INPUTS = 74, FOOTFALL_GAIT_LANES = 5 };

typedef struct footfall_gait_inputs footfall_gait_inputs;

/* What the walking gate and its check read from a contiguous signal. All arrays are rows without a space between
 * them. */
typedef struct {
    int64_t start;         /* the number of the first value; value n belongs to n * 40 ms */
    size_t value_count;
    const float *values;   /* rows of FOOTFALL_GAIT_LANES: x, y, z and magnitude below 5 Hz, and the magnitude of the
                            * rest */
    int64_t first_second;  /* since 1970 */
    size_t second_count;
    const float *cadences; /* rows of FOOTFALL_CADENCES in Hz, the most regular first; 0 for none */
    const float *inputs;   /* for each cadence FOOTFALL_GAIT_INPUTS: 49 of the gate, and 25 that only the check has */
} footfall_gait_signal;

/* Measures samples as footfall_analyzer_add does, and keeps what the networks read, for their training: 2 kB for each
 * second. Every second is measured, also those that an analyzer skips. The inputs may change with each version of the
 * models. */
footfall_gait_inputs *footfall_gait_inputs_create(const footfall_samples *samples, footfall_error *error);
void footfall_gait_inputs_destroy(footfall_gait_inputs *inputs);
/* The contiguous signals of a second or more, in order of time. */
const footfall_gait_signal *footfall_gait_inputs_signals(footfall_gait_inputs *inputs, size_t *count);

/* What the activity classifier reads from the window around the middle of a second. */
typedef struct {
    int64_t second;     /* since 1970 */
    float features[FOOTFALL_FEATURES]; /* as in footfall_second */
    float rms;          /* of the three axes together without their means, in g */
    float rate;         /* samples per second, over half a minute */
    uint8_t is_noise;   /* 1 if the classifier takes the window for noise */
    uint8_t is_sprung;  /* 1 if the window cannot be that of a bicycle */
    uint8_t padding[6]; /* 0 */
} footfall_window;

/* Measures samples as footfall_analyzer_add does, for the training of the activity classifier: the windows of the whole
 * seconds, in order of time, also of those that an analyzer skips. The seconds of a contiguous signal are consecutive.
 * The caller frees the array with footfall_windows_free. Returns NULL on an error. The features may change with each
 * version of the model. */
footfall_window *footfall_windows_measure(const footfall_samples *samples, size_t *count, footfall_error *error);
void footfall_windows_free(footfall_window *windows);

/* ---- Sensor logs ------------------------------------------------------------------------------------------------- */

/* What is known about a log; everything else is detected. A structure of zeros detects everything. */
typedef struct {
    const char *columns;   /* such as "time,x,y,z", as for `footfall analyze --columns`; NULL detects */
    const char *rows;      /* conditions such as "user=33", one in a line; NULL reads all rows */
    const char *time_unit; /* "s", "ms", "us" or "ns"; NULL detects */
    const char *time_zone; /* such as "Europe/Berlin", for date-times without a zone; NULL is UTC */
    double per_g;          /* how many units are one g: 1 for g, 1000 for mg, 9.80665 for m/s2, 16384 for counts; 0
                            * detects */
    double rate;           /* samples per second of a log without times; 0 without */
    int64_t start;         /* the first sample of a log without absolute time, from 1900 to 2150 */
    int32_t has_start;     /* whether `start` is given */
    int32_t has_zero;      /* whether `zero` is given */
    float zero[3];         /* the raw counts of x, y and z at 0 g */
} footfall_trace_options;

/* How a log is read and why, or why it is refused, as a JSON object: layout, refusal, remedy, line, delimiter,
 * decimalSeparator, headerLine, sampleRate, magnitude, notes, columns (number, title, values, role, reason), and
 * options: the name and value of each option that fixes the reading: columns, rows, unit, zero, time_unit, rate and tz.
 * What does not apply is left out. Returns NULL on an error. */
char *footfall_trace_explain(const char *path, const footfall_trace_options *options, footfall_error *error);
/* Opens a log and detects its format. Returns NULL on an error. */
footfall_trace *footfall_trace_open(
    const char *path, const footfall_trace_options *options, footfall_error *error);
void footfall_trace_destroy(footfall_trace *trace);

/* Samples of a trace, valid until the next call with the same trace. */
typedef struct {
    size_t count;
    const int64_t *time;
    const float *x, *y, *z;
} footfall_batch;

/* Reads the next samples, at most 4096. Returns FOOTFALL_END after the last one. */
int32_t footfall_trace_next(footfall_trace *trace, footfall_batch *batch, footfall_error *error);
/* The share of the file that has been read, 0 to 1. */
double footfall_trace_progress(footfall_trace *trace);
/* How the log is read: format, columns, units, in one line. */
char *footfall_trace_layout(footfall_trace *trace);
/* Assumptions that a user should check, one in a line; empty without any. */
char *footfall_trace_notes(footfall_trace *trace);
/* What was dropped from the part read so far, one kind in a line; empty without any. */
char *footfall_trace_warnings(footfall_trace *trace);

/* ---- Histories --------------------------------------------------------------------------------------------------- */

typedef struct footfall_history footfall_history;

/* Opens a history: for recording, which creates a missing file, or for reading only. Returns NULL on an error. */
footfall_history *footfall_history_open(const char *path, int32_t is_read_only, footfall_error *error);
void footfall_history_destroy(footfall_history *history);
/* Records events of a source in one transaction; all of them or none, but those more than ten minutes ahead of the
 * clock are left out: FOOTFALL_BAD_DATA. `time_zone` is the wearer's zone, such as "Europe/Berlin"; NULL is that of the
 * source, UTC for a new one. What the source has in the time of the events is replaced, but not by events without a
 * date, which are in 1970: FOOTFALL_BAD_DATA. */
int32_t footfall_history_record(
    footfall_history *history, const footfall_events *events, const char *source, const char *time_zone,
    footfall_error *error);

/* The steps of a span, and how much of it samples cover. */
typedef struct {
    int64_t start, end;
    int64_t steps;
    double coverage;      /* seconds */
    int32_t is_truncated; /* 1 if the span begins before the time that the history keeps */
    int32_t padding;      /* 0 */
} footfall_count;

/* The name of the only source, empty without any. Returns NULL on an error, such as several sources. */
char *footfall_history_source(footfall_history *history, footfall_error *error);

/* From the oldest to the newest time of a source; both 0 if it has none. `source` NULL is the only source. */
int32_t footfall_history_extent(
    footfall_history *history, const char *source, footfall_span *extent, footfall_error *error);

/* How footfall_history_steps divides a range: not at all, by the wearer's calendar, or by this number of minutes. */
enum {
    FOOTFALL_WHOLE = 0,
    FOOTFALL_BY_HOUR = -1,
    FOOTFALL_BY_DAY = -2,
    FOOTFALL_BY_WEEK = -3
};

/* Counts the steps of a source with start <= time < end, in the parts that `by` makes, at most a million of them.
 * `source` NULL is the only source.
 * The caller frees the array with footfall_counts_free. Returns NULL on an error. */
footfall_count *footfall_history_steps(
    footfall_history *history, const char *source, int64_t start, int64_t end, int32_t by, size_t *count,
    footfall_error *error);
void footfall_counts_free(footfall_count *counts);
/* The steps, joined segments and gaps of a source in a range. A history keeps no qualities of steps: they are 1.
 * Non-wear is a segment with the reason FOOTFALL_NOT_WORN alone. Returns NULL on an error. */
footfall_events *footfall_history_events(
    footfall_history *history, const char *source, int64_t start, int64_t end, footfall_error *error);

#ifdef __cplusplus
}
#endif

#endif
