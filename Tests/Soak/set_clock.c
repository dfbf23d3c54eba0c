// Sets the wall clock of one process. Loaded with LD_PRELOAD by clocks.py and the tests of the command.
//
// FOOTFALL_CLOCK_FILE names a file. Once it exists, the clock is ahead by the seconds that it holds. Otherwise FOOTFALL_CLOCK has the seconds by which the clock is ahead, and a pair of seconds for each time it is set while the process runs:
// the moment and the new seconds ahead, such as "0 3.5 -7200".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int next(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, time);
}

static double seconds_ahead(void) {
    static double start;
    struct timespec now;
    next(CLOCK_MONOTONIC, &now);
    double moment = now.tv_sec + now.tv_nsec * 1e-9;
    if (start == 0) start = moment;
    FILE *file = getenv("FOOTFALL_CLOCK_FILE") ? fopen(getenv("FOOTFALL_CLOCK_FILE"), "r") : NULL;
    if (file) {
        double value = 0;
        int found = fscanf(file, "%lf", &value);
        fclose(file);
        if (found == 1) return value;
    }
    char *rest = getenv("FOOTFALL_CLOCK");
    double ahead = rest ? strtod(rest, &rest) : 0;
    while (rest && *rest) {
        double when = strtod(rest, &rest), value = strtod(rest, &rest);
        if (moment - start >= when) ahead = value;
    }
    return ahead;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = next(clock, time);
    if (clock == CLOCK_REALTIME && result == 0) time->tv_sec += (time_t)seconds_ahead();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
