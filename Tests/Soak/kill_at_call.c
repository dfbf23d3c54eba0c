// Kills the process at the Nth system call that changes a file of a history, or lets that call fail. Loaded with LD_PRELOAD by
// kills.py, errors.py and the tests of the command.
//
// FOOTFALL_KILL_FILE is a part of the paths that count, FOOTFALL_KILL_AT is N. At an even N a write first writes half of its
// bytes. FOOTFALL_KILL_COUNT names a file that receives the number of calls at the end of the process, and FOOTFALL_KILL_CALLS
// one that receives the calls and their paths.
//
// With FOOTFALL_FAIL=one the call fails with EIO, as do all from it on with FOOTFALL_FAIL=all, and the process goes on. Then close
// and unlink do not count, and with FOOTFALL_FAIL_SYNC only fsync and fdatasync do. FOOTFALL_FAIL_NOTE names a file that receives
// the failed calls and their paths.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static int counts_path(const char *path) {
    const char *part = getenv("FOOTFALL_KILL_FILE");
    return part && path && strstr(path, part);
}

static void find_path(int descriptor, char path[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, 4095);
    path[length < 0 ? 0 : length] = 0;
}

// Appends a call and its path to the file that a variable names.
static void note(const char *variable, const char *name, const char *path) {
    const char *place = getenv(variable);
    FILE *file = place ? fopen(place, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s %s\n", name, path);
    fclose(file);
}

// Counts a call of a path. Returns whether it has to fail; does not return if it is the call to die at.
static int fails_path(const char *name, const char *path, int *number) {
    if (!counts_path(path)) return 0;
    const char *at = getenv("FOOTFALL_KILL_AT"), *mode = getenv("FOOTFALL_FAIL");
    if (mode && (strcmp(name, "close") == 0 || strcmp(name, "unlink") == 0)) return 0;
    if (getenv("FOOTFALL_FAIL_SYNC") && !strstr(name, "sync")) return 0;
    int last = at ? atoi(at) : -1;
    *number = atomic_fetch_add(&calls, 1) + 1;
    note("FOOTFALL_KILL_CALLS", name, path);
    if (!mode || last < 1) return 0;
    if (*number != last && !(*number > last && strcmp(mode, "all") == 0)) return 0;
    note("FOOTFALL_FAIL_NOTE", name, path);
    errno = EIO;
    return 1;
}

static int is_last(int number) {
    const char *at = getenv("FOOTFALL_KILL_AT");
    return !getenv("FOOTFALL_FAIL") && number && number == (at ? atoi(at) : -1);
}

static void die(void) { kill(getpid(), SIGKILL); }

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FOOTFALL_KILL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// The start of each call: it may fail or be the last one.
#define BEGIN(name, descriptor)                              \
    char path[4096];                                         \
    int number = 0;                                          \
    find_path(descriptor, path);                             \
    if (fails_path(#name, path, &number)) return -1;

#define WRITE(name, offset_type)                                                              \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) {       \
        BEGIN(name, descriptor)                                                               \
        if (is_last(number)) {                                                                \
            if (number % 2 == 0) NEXT(name)(descriptor, bytes, count / 2, offset);            \
            die();                                                                            \
        }                                                                                     \
        return NEXT(name)(descriptor, bytes, count, offset);                                  \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    BEGIN(write, descriptor)
    if (is_last(number)) die();
    return NEXT(write)(descriptor, bytes, count);
}

#define ONE(name)                           \
    int name(int descriptor) {              \
        BEGIN(name, descriptor)             \
        if (is_last(number)) die();         \
        return NEXT(name)(descriptor);      \
    }
ONE(fsync)
ONE(fdatasync)
ONE(close)

#define TRUNCATE(name, offset_type)                     \
    int name(int descriptor, offset_type length) {      \
        BEGIN(name, descriptor)                         \
        if (is_last(number)) die();                     \
        return NEXT(name)(descriptor, length);          \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    int number = 0;
    if (fails_path("rename", to, &number)) return -1;
    if (is_last(number)) die();
    return NEXT(rename)(from, to);
}

int unlink(const char *path) {
    int number = 0;
    if (fails_path("unlink", path, &number)) return -1;
    if (is_last(number)) die();
    return NEXT(unlink)(path);
}
