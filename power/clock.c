/* A clock that is wrong: preloaded (LD_PRELOAD) into a process, it adds SCRUTINEER_CLOCK seconds to the time of
 * day. Time that only passes (the monotonic clock, waits) is as it is. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t off(void)
{
    const char *said = getenv("SCRUTINEER_CLOCK");
    return said ? (time_t)atol(said) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    int done = (int)syscall(SYS_clock_gettime, clock, at);
    if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += off();
    return done;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    int done = (int)syscall(SYS_gettimeofday, at, zone);
    if (done == 0)
        at->tv_sec += off();
    return done;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
