/* Makes every sync fail for as long as the file named by FAILING_DISK is there: loaded before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  const char *flag = getenv("FAILING_DISK");
  if (flag == NULL || access(flag, F_OK) != 0) return 0;
  errno = EIO;
  return 1;
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return fails() ? -1 : real(file);
}

int fdatasync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return fails() ? -1 : real(file);
}
