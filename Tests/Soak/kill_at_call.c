// Kills the process at the Nth system call that changes a file of a history. Loaded with LD_PRELOAD by store.py.
//
// FOOTFALL_KILL_FILE is a part of the paths that count, FOOTFALL_KILL_AT is N. At an even N a write first writes half of its
// bytes. FOOTFALL_KILL_COUNT names a file that receives the number of calls at the end of the process.
#define _GNU_SOURCE
#include <dlfcn.h>
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

static int counts(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return counts_path(path);
}

// Whether this is the call to die at.
static int is_last(void) {
    const char *at = getenv("FOOTFALL_KILL_AT");
    return atomic_fetch_add(&calls, 1) + 1 == (at ? atol(at) : -1);
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

#define WRITE(name, offset_type)                                                              \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) {       \
        if (counts(descriptor) && is_last()) {                                                \
            if (atomic_load(&calls) % 2 == 0) NEXT(name)(descriptor, bytes, count / 2, offset); \
            die();                                                                            \
        }                                                                                     \
        return NEXT(name)(descriptor, bytes, count, offset);                                  \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (counts(descriptor) && is_last()) die();
    return NEXT(write)(descriptor, bytes, count);
}

#define ONE(name)                                \
    int name(int descriptor) {                   \
        if (counts(descriptor) && is_last()) die(); \
        return NEXT(name)(descriptor);           \
    }
ONE(fsync)
ONE(fdatasync)
ONE(close)

int ftruncate(int descriptor, off_t length) {
    if (counts(descriptor) && is_last()) die();
    return NEXT(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    if (counts(descriptor) && is_last()) die();
    return NEXT(ftruncate64)(descriptor, length);
}

int rename(const char *from, const char *to) {
    if (counts_path(to) && is_last()) die();
    return NEXT(rename)(from, to);
}

int unlink(const char *path) {
    if (counts_path(path) && is_last()) die();
    return NEXT(unlink)(path);
}
