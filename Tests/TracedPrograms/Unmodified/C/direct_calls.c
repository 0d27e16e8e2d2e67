// The program calls functions of libc that libdispatch uses too, and checks results and errors.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void *returned(void *argument) { return argument; }

static void make_all(void)
{
	int word = 1;
	struct timespec none = { 0, 1 };
	CHECK(syscall(SYS_getpid) == getpid());
	CHECK(syscall(SYS_gettid) == gettid());
	errno = 0;
	CHECK(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &none, NULL, 0) == -1 && errno == ETIMEDOUT);
	CHECK(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, &none, NULL, 0) == -1 && errno == EAGAIN);
	CHECK(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
	CHECK(syscall(SYS_futex, NULL, FUTEX_WAKE, 1, NULL, NULL, 0) == -1 && errno == EFAULT);
	CHECK(syscall(100000) == -1 && errno == ENOSYS);
	// All six arguments are passed on.
	void *map = (void *)syscall(SYS_mmap, NULL, 4096L, 3L, 0x22L, -1L, 0L);
	CHECK(map != (void *)-1L && syscall(SYS_munmap, map, 4096L) == 0);

	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event;
	CHECK(epoll >= 0);
	CHECK(epoll_wait(epoll, &event, 1, 1) == 0);
	CHECK(epoll_wait(epoll, &event, 0, 1) == -1 && errno == EINVAL);
	CHECK(epoll_wait(-1, &event, 1, 1) == -1 && errno == EBADF);
	close(epoll);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct itimerspec when = { .it_value = { 0, 1000 } }, before;
	CHECK(timerfd_settime(timer, 0, &when, &before) == 0 && before.it_value.tv_nsec == 0);
	uint64_t expirations = 0;
	CHECK(read(timer, &expirations, sizeof expirations) == 8 && expirations > 0);
	close(timer);
	CHECK(timerfd_settime(-1, 0, &when, NULL) == -1 && errno == EBADF);
	CHECK(usleep(1) == 0);
	CHECK(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)) == 0);
	CHECK(setpriority(99, 0, 0) == -1 && errno == EINVAL);

	pthread_t thread;
	pthread_attr_t attributes;
	void *result;
	CHECK(pthread_create(&thread, NULL, returned, &word) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == &word);
	// A stack larger than the memory: the caller gets the error.
	pthread_attr_init(&attributes);
	CHECK(pthread_attr_setstacksize(&attributes, 1UL << 46) == 0);
	CHECK(pthread_create(&thread, &attributes, returned, NULL) == EAGAIN);
}

int main(void)
{
	make_all();
	dispatch_sync(dispatch_queue_create("calls", NULL), ^{ make_all(); });
	dispatch_queue_t queue = dispatch_queue_create("calls.async", NULL);
	dispatch_async(queue, ^{ make_all(); });
	dispatch_sync(queue, ^{ });
	puts("as documented");
	return 0;
}
