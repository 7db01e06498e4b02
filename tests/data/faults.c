/* Makes calls of the system fail for a process that has it in LD_PRELOAD.

   FAULT="CALL ERRNO ENDING TIMES": the first TIMES calls of CALL about a file whose name has that ENDING fail with
   ERRNO. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(const char *call, const char *path) {
    static char name[32], ending[64];
    static int number, left = -1;
    if (left < 0) {
        const char *fault = getenv("FAULT");
        if (!fault || sscanf(fault, "%31s %d %63s %d", name, &number, ending, &left) != 4) left = 0;
    }
    size_t length = strlen(path), end = strlen(ending);
    if (left == 0 || strcmp(call, name) || length < end || strcmp(path + length - end, ending)) return 0;
    left--;
    errno = number;
    return 1;
}

static int fails_at(const char *call, int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(call, path);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list more; \
        va_start(more, flags); \
        int mode = va_arg(more, int); \
        va_end(more); \
        return fails("open", path) ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define PREAD(name) \
    ssize_t name(int descriptor, void *to, size_t count, off64_t at) { \
        REAL(ssize_t, name, int, void *, size_t, off64_t); \
        /* Not the first pages, which are read before anything is checked. */ \
        return at >= 8192 && fails_at("pread", descriptor) ? -1 : real(descriptor, to, count, at); \
    }
PREAD(pread)
PREAD(pread64)

#define FCNTL(name) \
    int name(int descriptor, int command, ...) { \
        REAL(int, name, int, int, ...); \
        va_list more; \
        va_start(more, command); \
        void *argument = va_arg(more, void *); \
        va_end(more); \
        int locks = command == F_SETLK || command == F_OFD_SETLK || command == F_OFD_GETLK; \
        if (locks && fails_at("fcntl", descriptor)) return -1; \
        if (command != F_SETLK && locks && fails_at("ofd", descriptor)) return -1; \
        return real(descriptor, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

#define MMAP(name) \
    void *name(void *at, size_t length, int rights, int flags, int descriptor, off64_t offset) { \
        REAL(void *, name, void *, size_t, int, int, int, off64_t); \
        if (descriptor >= 0 && fails_at("mmap", descriptor)) return MAP_FAILED; \
        return real(at, length, rights, flags, descriptor, offset); \
    }
MMAP(mmap)
MMAP(mmap64)

int flock(int descriptor, int what) {
    REAL(int, flock, int, int);
    return fails_at("flock", descriptor) ? -1 : real(descriptor, what);
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    return fails("link", from) ? -1 : real(from, to);
}

#define PWRITE(name) \
    ssize_t name(int descriptor, const void *from, size_t count, off64_t at) { \
        REAL(ssize_t, name, int, const void *, size_t, off64_t); \
        return fails_at("pwrite", descriptor) ? -1 : real(descriptor, from, count, at); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)
