// The clock of a process, moved by so many seconds: the laboratory preloads this to let a year pass.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long moved(void) {
  const char *seconds = getenv("LAB_CLOCK_SECONDS");
  return seconds == NULL ? 0 : atol(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += moved();
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != NULL) *now = exact.tv_sec;
  return exact.tv_sec;
}

/* The kernel waits by its own clock: until a moment of the moved one it would not wait at all, and threads would spin. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  struct timespec real = *until;
  if (real.tv_sec < 1000000000) // since the machine was started
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
  real.tv_sec -= moved();
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &real);
}
