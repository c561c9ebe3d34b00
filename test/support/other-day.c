/*
 * Loaded before the C library, shifts the wall clock of a process by AHEAD_S seconds, which may be negative. Clocks that
 * only count how long something takes are left alone; waits until a time of the wall clock end as they would have.
 *   cc -shared -fPIC -O2 -DAHEAD_S=86400LL -o other-day.so other-day.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static __typeof__(&clock_gettime) next;
  if (!next) next = NEXT(clock_gettime);
  int failed = next(clock, now);
  if (!failed && is_wall(clock)) now->tv_sec += AHEAD_S;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  static __typeof__(&gettimeofday) next;
  if (!next) next = NEXT(gettimeofday);
  int failed = next(now, zone);
  if (!failed && now) now->tv_sec += AHEAD_S;
  return failed;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  static __typeof__(&timespec_get) next;
  if (!next) next = NEXT(timespec_get);
  int got = next(now, base);
  if (got == TIME_UTC) now->tv_sec += AHEAD_S;
  return got;
}

/* The machine's time for one of this process. */
static struct timespec machine(const struct timespec *until) {
  struct timespec moved = *until;
  moved.tv_sec -= AHEAD_S;
  if (moved.tv_sec < 0) moved = (struct timespec){0, 0};
  return moved;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  static __typeof__(&sem_timedwait) next;
  if (!next) next = NEXT(sem_timedwait);
  struct timespec moved = machine(until);
  return next(semaphore, &moved);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  static __typeof__(&pthread_mutex_timedlock) next;
  if (!next) next = NEXT(pthread_mutex_timedlock);
  struct timespec moved = machine(until);
  return next(mutex, &moved);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  static __typeof__(&pthread_cond_timedwait) next;
  /* dlsym alone gives the first version, which conditions of today cannot use. */
  if (!next) next = (__typeof__(next))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!next) next = NEXT(pthread_cond_timedwait);
  /* The second bit says that it goes by a clock that only counts (glibc 2.25 and later). */
  if (condition->__data.__wrefs & 2) return next(condition, mutex, until);
  struct timespec moved = machine(until);
  return next(condition, mutex, &moved);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
  static __typeof__(&clock_nanosleep) next;
  if (!next) next = NEXT(clock_nanosleep);
  if (!is_wall(clock) || !(flags & TIMER_ABSTIME)) return next(clock, flags, until, left);
  struct timespec moved = machine(until);
  return next(clock, flags, &moved, left);
}
