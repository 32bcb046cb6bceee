/* Shifts the wall clock of one process and its children, and nothing else: preloaded, it adds the seconds that stand in
   the file named by WALL_CLOCK_OFFSET. Monotonic clocks, sleeps and time-outs go on as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Deadlines before this are no dates: they belong to another clock. */
#define YEAR_2001 1000000000L

static volatile const int *offset_file;

__attribute__((constructor)) static void open_offset(void) {
    const char *path = getenv("WALL_CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(int), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) offset_file = page;
}

static int offset(void) { return offset_file ? *offset_file : 0; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) real;
    if (!real) real = REAL(clock_gettime);
    int result = real(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (result) *result = exact.tv_sec;
    return exact.tv_sec;
}

/* The kernel does not know of the shift: a deadline by the shifted clock is put back to its own. */
static struct timespec unshifted(const struct timespec *deadline) {
    struct timespec real = *deadline;
    if (real.tv_sec > YEAR_2001) real.tv_sec -= offset();
    return real;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
    static __typeof__(&pthread_cond_timedwait) real;
    /* The version that programs of today are linked to, not the oldest one. */
    if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!real) real = REAL(pthread_cond_timedwait);
    struct timespec unshifted_deadline = unshifted(deadline);
    return real(condition, mutex, &unshifted_deadline);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    static __typeof__(&sem_timedwait) real;
    if (!real) real = REAL(sem_timedwait);
    struct timespec unshifted_deadline = unshifted(deadline);
    return real(semaphore, &unshifted_deadline);
}
