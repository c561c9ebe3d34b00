/*
 * Makes every sync fail for as long as the file named by FAILING_DISK is there,
 * and one sync where that file's name with ".once" is, which it takes away:
 * and every sync of a folder where it is with ".folders". Where it is with ".unoffered", a folder is not synced since
 * the file system does not offer that: loaded before the C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(int file) {
  const char *flag = getenv("FAILING_DISK");
  char once[4096], folders[4096], unoffered[4096];
  struct stat status;
  if (flag == NULL) return 0;
  snprintf(once, sizeof once, "%s.once", flag);
  snprintf(folders, sizeof folders, "%s.folders", flag);
  snprintf(unoffered, sizeof unoffered, "%s.unoffered", flag);
  if (access(unoffered, F_OK) == 0 && fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EINVAL;
    return 1;
  }
  if (access(flag, F_OK) != 0 && unlink(once) != 0 &&
      (access(folders, F_OK) != 0 || fstat(file, &status) != 0 || !S_ISDIR(status.st_mode)))
    return 0;
  errno = EIO;
  return 1;
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return fails(file) ? -1 : real(file);
}

int fdatasync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return fails(file) ? -1 : real(file);
}
