/*
 * Preloaded into a process that writes a SQLite file: records every call that changes the file or its log, in order, and fails one on request.
 *
 * CHAOS_PATH    what the paths of the recorded files begin with
 * CHAOS_RECORD  where to write the record; see read-record.ts for its form
 * CHAOS_MARKS   a file: what is written to it becomes a mark in the record; "heal" ends the failing
 * CHAOS_FAIL    <open|write|fsync|truncate|mmap>:<n>:<errno>:<once|on>: fail the n-th such call, or all from it on
 * CHAOS_COUNTS  where to write how many calls of each kind there were
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN, WRITE, FSYNC, TRUNCATE, MMAP, KINDS };
static const char *const names[KINDS] = {"open", "write", "fsync", "truncate", "mmap"};

#define MOST 4096
static char *paths[MOST];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static const char *prefix, *marks;
static long counts[KINDS];
static int fail_kind = -1, fail_error, fail_on, healed;
static long fail_at;

static void out(const void *data, size_t length) {
  if (record < 0) return;
  for (const char *at = data; length > 0;) {
    long done = syscall(SYS_write, record, at, length);
    if (done <= 0) return;
    at += done;
    length -= done;
  }
}

static void note(char kind, const char *path, long long place, long long length, const void *data) {
  char head[4200];
  int size = snprintf(head, sizeof head, "%c %lld %lld %s\n", kind, place, length, path);
  out(head, size);
  if (data) out(data, length);
}

__attribute__((constructor)) static void begin(void) {
  prefix = getenv("CHAOS_PATH");
  marks = getenv("CHAOS_MARKS");
  const char *file = getenv("CHAOS_RECORD");
  if (file) record = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *fail = getenv("CHAOS_FAIL");
  char kind[16] = "", how[8] = "";
  if (fail && sscanf(fail, "%15[a-z]:%ld:%d:%7s", kind, &fail_at, &fail_error, how) == 4) {
    for (int one = 0; one < KINDS; one++) if (strcmp(kind, names[one]) == 0) fail_kind = one;
    fail_on = strcmp(how, "on") == 0;
  }
}

__attribute__((destructor)) static void end(void) {
  const char *file = getenv("CHAOS_COUNTS");
  if (!file) return;
  char text[256];
  int size = snprintf(text, sizeof text, "{\"open\":%ld,\"write\":%ld,\"fsync\":%ld,\"truncate\":%ld,\"mmap\":%ld}\n",
                      counts[OPEN], counts[WRITE], counts[FSYNC], counts[TRUNCATE], counts[MMAP]);
  int fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  syscall(SYS_write, fd, text, size);
  syscall(SYS_close, fd);
}

static int is_ours(const char *path) { return prefix && path && strncmp(path, prefix, strlen(prefix)) == 0; }
static char *path_of(int fd) { return fd >= 0 && fd < MOST ? paths[fd] : NULL; }
static int is_marks(int fd) { char *path = path_of(fd); return path && marks && strcmp(path, marks) == 0; }

/* Counts a call, and says whether it has to fail. */
static int fails(int kind) {
  long number = ++counts[kind];
  if (kind != fail_kind || healed) return 0;
  if (fail_on ? number < fail_at : number != fail_at) return 0;
  errno = fail_error;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(int fd, const char *path, int existed, int flags) {
  if (fd < 0 || fd >= MOST) return fd;
  pthread_mutex_lock(&mutex);
  free(paths[fd]);
  paths[fd] = strdup(path);
  if (!(marks && strcmp(path, marks) == 0)) {
    if (!existed) note('C', path, 0, 0, NULL);
    else if (flags & O_TRUNC) note('T', path, 0, 0, NULL);
  }
  pthread_mutex_unlock(&mutex);
  return fd;
}

static int do_open(const char *name, const char *path, int flags, mode_t mode) {
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", prefix ? prefix : "");
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
  int is_folder = prefix && strcmp(path, folder) == 0;
  int is_mark = marks && strcmp(path, marks) == 0;
  if (!is_ours(path) && !is_folder && !is_mark) return next(path, flags, mode);
  if (is_ours(path) && fails(OPEN)) return -1;
  struct stat info;
  int existed = is_folder || stat(path, &info) == 0;
  return opened(next(path, flags, mode), path, existed, flags);
}

#define OPENING(name)                                                 \
  int name(const char *path, int flags, ...) {                        \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;         \
    va_end(rest);                                                     \
    return do_open(#name, path, flags, mode);                         \
  }
OPENING(open)
OPENING(open64)

int close(int fd) {
  pthread_mutex_lock(&mutex);
  if (fd >= 0 && fd < MOST) {
    free(paths[fd]);
    paths[fd] = NULL;
  }
  pthread_mutex_unlock(&mutex);
  return NEXT(close)(fd);
}

static ssize_t wrote(int fd, const void *data, ssize_t length, off_t place) {
  if (length > 0) note('W', path_of(fd), place, length, data);
  return length;
}

#define PLACED(name)                                                        \
  ssize_t name(int fd, const void *data, size_t length, off_t place) {      \
    if (!path_of(fd)) return NEXT(name)(fd, data, length, place);           \
    pthread_mutex_lock(&mutex);                                             \
    ssize_t done = fails(WRITE) ? -1 : wrote(fd, data, NEXT(name)(fd, data, length, place), place); \
    pthread_mutex_unlock(&mutex);                                           \
    return done;                                                            \
  }
PLACED(pwrite)
PLACED(pwrite64)

ssize_t write(int fd, const void *data, size_t length) {
  if (!path_of(fd)) return NEXT(write)(fd, data, length);
  pthread_mutex_lock(&mutex);
  ssize_t done;
  if (is_marks(fd)) {
    if (length == 4 && memcmp(data, "heal", 4) == 0) healed = 1;
    note('M', "-", 0, length, data);
    done = length;
  } else {
    off_t place = lseek(fd, 0, SEEK_CUR);
    done = fails(WRITE) ? -1 : wrote(fd, data, NEXT(write)(fd, data, length), place);
  }
  pthread_mutex_unlock(&mutex);
  return done;
}

#define SYNCING(name)                                                       \
  int name(int fd) {                                                        \
    if (!path_of(fd) || is_marks(fd)) return NEXT(name)(fd);                \
    pthread_mutex_lock(&mutex);                                             \
    int done = fails(FSYNC) ? -1 : NEXT(name)(fd);                          \
    if (done == 0) note('S', path_of(fd), 0, 0, NULL);                      \
    pthread_mutex_unlock(&mutex);                                           \
    return done;                                                            \
  }
SYNCING(fsync)
SYNCING(fdatasync)

#define CUTTING(name)                                                       \
  int name(int fd, off_t size) {                                            \
    if (!path_of(fd)) return NEXT(name)(fd, size);                          \
    pthread_mutex_lock(&mutex);                                             \
    int done = fails(TRUNCATE) ? -1 : NEXT(name)(fd, size);                 \
    if (done == 0) note('T', path_of(fd), size, 0, NULL);                   \
    pthread_mutex_unlock(&mutex);                                           \
    return done;                                                            \
  }
CUTTING(ftruncate)
CUTTING(ftruncate64)

int unlink(const char *path) {
  int done = NEXT(unlink)(path);
  if (done == 0 && is_ours(path)) {
    pthread_mutex_lock(&mutex);
    note('U', path, 0, 0, NULL);
    pthread_mutex_unlock(&mutex);
  }
  return done;
}

int rename(const char *from, const char *to) {
  int done = NEXT(rename)(from, to);
  if (done == 0 && (is_ours(from) || is_ours(to))) {
    pthread_mutex_lock(&mutex);
    note('R', from, 0, strlen(to), to);
    pthread_mutex_unlock(&mutex);
  }
  return done;
}

#define MAPPING(name)                                                                          \
  void *name(void *where, size_t length, int access, int flags, int fd, off_t place) {         \
    if (path_of(fd) && !is_marks(fd)) {                                                        \
      pthread_mutex_lock(&mutex);                                                              \
      int failing = fails(MMAP);                                                               \
      pthread_mutex_unlock(&mutex);                                                            \
      if (failing) return MAP_FAILED;                                                          \
    }                                                                                          \
    return NEXT(name)(where, length, access, flags, fd, place);                                \
  }
MAPPING(mmap)
MAPPING(mmap64)
