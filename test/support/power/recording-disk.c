/*
 * Records what is done to the files below the folder POWER_ROOT, in the file POWER_LOG, for as long as that is there, and
 * keeps a sync for POWER_SYNC_US microseconds, as a disk does: loaded before the C library. A disk that lies
 * (POWER_LIES) says that it has synced, and never has; one that is late (POWER_LIES=late) has when the next sync of the
 * file begins. No io_uring can be had, which would pass by here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name, result, ...) \
  static result (*real)(__VA_ARGS__); \
  if (real == NULL) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)
#define MOST_FILES 65536

/* What one entry of the log says; the two names and the bytes follow it. */
struct entry {
  uint32_t kind, names[2], length;
  uint64_t file, at, id;
};
enum { MADE = 1, WROTE, CUT, SYNCING, SYNCED, RENAMED, LINKED, REMOVED, UNKNOWN };

static _Atomic unsigned char ours[MOST_FILES];
static _Atomic uint64_t syncs;
/* The last sync of a file, where the disk is late. */
static _Atomic uint64_t unfinished[MOST_FILES];
static const char *root, *lies;
static size_t root_length;
static useconds_t sync_us;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("POWER_LOG"), *us = getenv("POWER_SYNC_US");
  REAL(open64, int, const char *, int, ...);
  root = getenv("POWER_ROOT");
  lies = getenv("POWER_LIES");
  if (us != NULL) sync_us = (useconds_t)atoi(us);
  if (path == NULL || root == NULL) return;
  root_length = strlen(root);
  log_file = real(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/*
 * What is done to a name, and its entry, are one step for all processes: else another one might use a file that is new
 * before the log has it, and what it writes would be that of no file.
 */
static pthread_mutex_t named = PTHREAD_MUTEX_INITIALIZER;

static void begin_name(void) {
  int kept = errno;
  pthread_mutex_lock(&named);
  if (log_file >= 0) while (flock(log_file, LOCK_EX) != 0 && errno == EINTR);
  errno = kept;
}

static void end_name(void) {
  int kept = errno;
  if (log_file >= 0) flock(log_file, LOCK_UN);
  pthread_mutex_unlock(&named);
  errno = kept;
}

/* One write, which appends: the entries of all processes stand in one order. */
static void note(uint32_t kind, uint64_t file, uint64_t at, uint64_t id, const char *one,
                 const char *other, const struct iovec *bytes, int count, size_t length) {
  REAL(writev, ssize_t, int, const struct iovec *, int);
  struct iovec parts[IOV_MAX + 3];
  int used = 0, kept = errno;
  size_t left = length;
  struct entry entry = {kind, {one ? strlen(one) : 0, other ? strlen(other) : 0}, length, file, at, id};
  if (log_file < 0) return;
  parts[used++] = (struct iovec){&entry, sizeof entry};
  if (one) parts[used++] = (struct iovec){(void *)one, entry.names[0]};
  if (other) parts[used++] = (struct iovec){(void *)other, entry.names[1]};
  for (int part = 0; part < count && left > 0; part++) {
    size_t some = bytes[part].iov_len < left ? bytes[part].iov_len : left;
    parts[used++] = (struct iovec){bytes[part].iov_base, some};
    left -= some;
  }
  if (real(log_file, parts, used) < 0) abort();
  errno = kept;
}

/* The whole path, and whether it is below the folder. */
static int located(int folder, const char *path, char *whole) {
  char base[PATH_MAX] = "";
  if (root == NULL) return 0;
  if (path[0] == '/') {
    snprintf(whole, PATH_MAX, "%s", path);
  } else {
    if (folder == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
    size_t length = strlen(base);
    snprintf(whole, PATH_MAX, "%s", base);
    snprintf(whole + length, PATH_MAX - length, "/%s", path);
  }
  return strncmp(whole, root, root_length) == 0 &&
         (whole[root_length] == '/' || whole[root_length] == 0);
}

static uint64_t inode_at(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

/* The file that is open there, if it is one of ours. */
static uint64_t inode_of(int file) {
  struct stat status;
  int kept = errno;
  uint64_t found = 0;
  if (log_file >= 0 && file >= 0 && file < MOST_FILES && ours[file] && fstat(file, &status) == 0 &&
      (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
    found = status.st_ino;
  errno = kept;
  return found;
}

static void opened(int file, const char *whole, int is_ours, int flags, int was_there) {
  struct stat status;
  int kept = errno;
  if (file >= 0 && file < MOST_FILES) {
    ours[file] = (unsigned char)is_ours;
    if (is_ours && fstat(file, &status) == 0) {
      if (!was_there) note(MADE, status.st_ino, 0, 0, whole, NULL, NULL, 0, 0);
      else if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY)
        note(CUT, status.st_ino, 0, 0, NULL, NULL, NULL, 0, 0);
    }
  }
  errno = kept;
}

#define OPEN(name, folder, path, parameters, call) \
  int name parameters { \
    REAL(name, int, REAL_##name); \
    char whole[PATH_MAX]; \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
      va_list list; \
      va_start(list, flags); \
      mode = va_arg(list, mode_t); \
      va_end(list); \
    } \
    int is_ours = located(folder, path, whole); \
    int may_make = is_ours && (flags & O_CREAT); \
    if (may_make) begin_name(); \
    int was_there = !may_make || access(whole, F_OK) == 0; \
    int file = real call; \
    opened(file, whole, is_ours, flags, was_there); \
    if (may_make) end_name(); \
    return file; \
  }
#define REAL_open const char *, int, ...
#define REAL_open64 const char *, int, ...
#define REAL_openat int, const char *, int, ...
#define REAL_openat64 int, const char *, int, ...
OPEN(open, AT_FDCWD, path, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, AT_FDCWD, path, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, folder, path, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, folder, path, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

#define MKSTEMP(name) \
  int name(char *path) { \
    REAL(name, int, char *); \
    char whole[PATH_MAX]; \
    begin_name(); \
    int file = real(path); \
    opened(file, whole, located(AT_FDCWD, path, whole), O_CREAT, 0); \
    end_name(); \
    return file; \
  }
MKSTEMP(mkstemp)
MKSTEMP(mkstemp64)

/* Its number may be that of another file next, which is opened in a way that does not pass by here. */
int close(int file) {
  REAL(close, int, int);
  if (file >= 0 && file < MOST_FILES) ours[file] = 0;
  return real(file);
}

static void wrote(int file, off_t at, const struct iovec *bytes, int count, ssize_t length) {
  uint64_t inode = length > 0 ? inode_of(file) : 0;
  if (inode == 0) return;
  if (at < 0) at = lseek(file, 0, SEEK_CUR) - length;
  note(WROTE, inode, (uint64_t)at, 0, NULL, NULL, bytes, count, (size_t)length);
}

ssize_t write(int file, const void *from, size_t length) {
  REAL(write, ssize_t, int, const void *, size_t);
  ssize_t done = real(file, from, length);
  struct iovec bytes = {(void *)from, length};
  wrote(file, -1, &bytes, 1, done);
  return done;
}

#define PWRITE(name) \
  ssize_t name(int file, const void *from, size_t length, off_t at) { \
    REAL(name, ssize_t, int, const void *, size_t, off_t); \
    ssize_t done = real(file, from, length, at); \
    struct iovec bytes = {(void *)from, length}; \
    wrote(file, at, &bytes, 1, done); \
    return done; \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int file, const struct iovec *bytes, int count) {
  REAL(writev, ssize_t, int, const struct iovec *, int);
  ssize_t done = real(file, bytes, count);
  wrote(file, -1, bytes, count, done);
  return done;
}

#define PWRITEV(name) \
  ssize_t name(int file, const struct iovec *bytes, int count, off_t at) { \
    REAL(name, ssize_t, int, const struct iovec *, int, off_t); \
    ssize_t done = real(file, bytes, count, at); \
    wrote(file, at, bytes, count, done); \
    return done; \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

/* What the system has copied into a file is read there. */
static void copied(int file, off_t at, ssize_t length) {
  char link[64], some[65536];
  uint64_t inode = length > 0 ? inode_of(file) : 0;
  if (inode == 0) return;
  if (at < 0) at = lseek(file, 0, SEEK_CUR) - length;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  REAL(open64, int, const char *, int, ...);
  int copy = real(link, O_RDONLY | O_CLOEXEC);
  while (length > 0) {
    ssize_t got = pread(copy, some, (size_t)length < sizeof some ? (size_t)length : sizeof some, at);
    if (got <= 0) abort();
    struct iovec bytes = {some, (size_t)got};
    note(WROTE, inode, (uint64_t)at, 0, NULL, NULL, &bytes, 1, (size_t)got);
    at += got;
    length -= got;
  }
  close(copy);
}

#define SENDFILE(name) \
  ssize_t name(int to, int from, off_t *at, size_t length) { \
    REAL(name, ssize_t, int, int, off_t *, size_t); \
    ssize_t done = real(to, from, at, length); \
    copied(to, -1, done); \
    return done; \
  }
SENDFILE(sendfile)
SENDFILE(sendfile64)

ssize_t copy_file_range(int from, off_t *from_at, int to, off_t *to_at, size_t length, unsigned flags) {
  REAL(copy_file_range, ssize_t, int, off_t *, int, off_t *, size_t, unsigned);
  off_t at = to_at == NULL ? -1 : *to_at;
  ssize_t done = real(from, from_at, to, to_at, length, flags);
  copied(to, at, done);
  return done;
}

long syscall(long number, ...) {
  REAL(syscall, long, long, ...);
  long given[6];
  va_list list;
  va_start(list, number);
  for (int at = 0; at < 6; at++) given[at] = va_arg(list, long);
  va_end(list);
  if (number == SYS_io_uring_setup) {
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_copy_file_range)
    return copy_file_range((int)given[0], (off_t *)given[1], (int)given[2], (off_t *)given[3],
                           (size_t)given[4], (unsigned)given[5]);
  return real(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

#define FTRUNCATE(name) \
  int name(int file, off_t length) { \
    REAL(name, int, int, off_t); \
    int done = real(file, length); \
    uint64_t inode = done == 0 ? inode_of(file) : 0; \
    if (inode) note(CUT, inode, (uint64_t)length, 0, NULL, NULL, NULL, 0, 0); \
    return done; \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

/* Nobody does these here: what is recorded would not be all, and the test fails. */
#define UNKNOWN_CALL(name, file, parameters, call) \
  int name parameters { \
    REAL(name, int, REAL_##name); \
    if (inode_of(file)) note(UNKNOWN, 0, 0, 0, #name, NULL, NULL, 0, 0); \
    return real call; \
  }
#define REAL_fallocate64 int, int, off_t, off_t
UNKNOWN_CALL(fallocate64, file, (int file, int mode, off_t at, off_t length), (file, mode, at, length))
#define TRUNCATE(name) \
  int name(const char *path, off_t length) { \
    REAL(name, int, const char *, off_t); \
    char whole[PATH_MAX]; \
    if (located(AT_FDCWD, path, whole)) note(UNKNOWN, 0, 0, 0, #name, NULL, NULL, 0, 0); \
    return real(path, length); \
  }
TRUNCATE(truncate)
TRUNCATE(truncate64)

static int synced(int file, int (*real)(int)) {
  uint64_t inode = inode_of(file), id;
  if (inode == 0) return real(file);
  int is_late = lies != NULL && strcmp(lies, "late") == 0;
  if (lies != NULL && !is_late) return 0;
  id = ((uint64_t)getpid() << 32) | ++syncs;
  if (is_late) note(SYNCED, inode, 0, atomic_exchange(&unfinished[inode % MOST_FILES], id), NULL, NULL, NULL, 0, 0);
  note(SYNCING, inode, 0, id, NULL, NULL, NULL, 0, 0);
  if (is_late) return 0;
  if (sync_us > 0) usleep(sync_us);
  note(SYNCED, inode, 0, id, NULL, NULL, NULL, 0, 0);
  return 0;
}

int fsync(int file) {
  REAL(fsync, int, int);
  return synced(file, real);
}

int fdatasync(int file) {
  REAL(fdatasync, int, int);
  return synced(file, real);
}

static void renamed(uint32_t kind, int from_folder, const char *from, int to_folder, const char *to) {
  char one[PATH_MAX], other[PATH_MAX];
  int was = located(from_folder, from, one), is = located(to_folder, to, other);
  if (was || is) note(was && is ? kind : UNKNOWN, inode_at(other), 0, 0, one, other, NULL, 0, 0);
}

int rename(const char *from, const char *to) {
  REAL(rename, int, const char *, const char *);
  begin_name();
  int done = real(from, to);
  if (done == 0) renamed(RENAMED, AT_FDCWD, from, AT_FDCWD, to);
  end_name();
  return done;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  REAL(renameat, int, int, const char *, int, const char *);
  begin_name();
  int done = real(from_folder, from, to_folder, to);
  if (done == 0) renamed(RENAMED, from_folder, from, to_folder, to);
  end_name();
  return done;
}

int link(const char *from, const char *to) {
  REAL(link, int, const char *, const char *);
  begin_name();
  int done = real(from, to);
  if (done == 0) renamed(LINKED, AT_FDCWD, from, AT_FDCWD, to);
  end_name();
  return done;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  REAL(linkat, int, int, const char *, int, const char *, int);
  begin_name();
  int done = real(from_folder, from, to_folder, to, flags);
  if (done == 0) renamed(LINKED, from_folder, from, to_folder, to);
  end_name();
  return done;
}

static int removed(int folder, const char *path, int done) {
  char whole[PATH_MAX];
  if (done == 0 && located(folder, path, whole)) note(REMOVED, 0, 0, 0, whole, NULL, NULL, 0, 0);
  return done;
}

int unlink(const char *path) {
  REAL(unlink, int, const char *);
  begin_name();
  int done = removed(AT_FDCWD, path, real(path));
  end_name();
  return done;
}

int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat, int, int, const char *, int);
  begin_name();
  int done = removed(folder, path, real(folder, path, flags));
  end_name();
  return done;
}

int rmdir(const char *path) {
  REAL(rmdir, int, const char *);
  begin_name();
  int done = removed(AT_FDCWD, path, real(path));
  end_name();
  return done;
}

/* It calls the two above without passing by here. */
int remove(const char *path) {
  REAL(remove, int, const char *);
  begin_name();
  int done = removed(AT_FDCWD, path, real(path));
  end_name();
  return done;
}

static int made(int folder, const char *path, int done) {
  char whole[PATH_MAX];
  if (done == 0 && located(folder, path, whole))
    note(MADE, inode_at(whole), 1, 0, whole, NULL, NULL, 0, 0);
  return done;
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir, int, const char *, mode_t);
  begin_name();
  int done = made(AT_FDCWD, path, real(path, mode));
  end_name();
  return done;
}

int mkdirat(int folder, const char *path, mode_t mode) {
  REAL(mkdirat, int, int, const char *, mode_t);
  begin_name();
  int done = made(folder, path, real(folder, path, mode));
  end_name();
  return done;
}

char *mkdtemp(char *path) {
  REAL(mkdtemp, char *, char *);
  begin_name();
  char *done = real(path);
  if (done != NULL) made(AT_FDCWD, done, 0);
  end_name();
  return done;
}
