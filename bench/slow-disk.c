/* Adds a delay to every sync, as a cloud disk has: loaded before the C library by the bench. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_a_while(void) {
  const char *microseconds = getenv("SLOW_DISK_US");
  if (microseconds != NULL) usleep((useconds_t)atoi(microseconds));
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_a_while();
  return real(file);
}

int fdatasync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_a_while();
  return real(file);
}
