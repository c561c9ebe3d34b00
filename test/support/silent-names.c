/*
 * Names below ".silent.example" are looked up for ever, as where a server of names, or a share that the system's own
 * sources lie on, is gone: loaded before the C library. Adds each name that a process looks up, with its number, to the
 * file named by SILENT_NAMES. Names below ".once.example" are so in the first process that looks them up, and lead to
 * this machine in every other.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_below(const char *name, const char *end) {
  size_t length = strlen(name), of = strlen(end);
  return length > of && strcmp(name + length - of, end) == 0;
}

/* Whether another process has looked the name up. */
static int is_again(const char *path, const char *name) {
  char line[512], wanted[512];
  int found = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  while (!found && fgets(line, sizeof line, file) != NULL) {
    int pid = atoi(line);
    snprintf(wanted, sizeof wanted, "%d %s\n", pid, name);
    found = pid != (int)getpid() && strcmp(line, wanted) == 0;
  }
  fclose(file);
  return found;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
          RTLD_NEXT, "getaddrinfo");
  const char *path = getenv("SILENT_NAMES");
  if (path == NULL || name == NULL) return real(name, service, hints, found);
  char line[512];
  int size = snprintf(line, sizeof line, "%d %s\n", (int)getpid(), name);
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && write(file, line, (size_t)size) == size) close(file);
  if (is_below(name, ".once.example")) {
    if (is_again(path, name)) return real("localhost", service, hints, found);
    for (;;) pause();
  }
  if (is_below(name, ".silent.example"))
    for (;;) pause();
  return real(name, service, hints, found);
}
