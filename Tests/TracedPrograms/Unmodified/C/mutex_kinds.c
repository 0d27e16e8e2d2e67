// Mutexes of every kind, with their errors: recursive, error checking, robust, priority inheritance, timed, contended.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t of_kind(int type, int robust, int protocol)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	CHECK(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
	CHECK(pthread_mutex_init(&mutex, &attributes) == 0);
	pthread_mutexattr_destroy(&attributes);
	return mutex;
}

static void *lock_and_end(void *mutex)
{
	CHECK(pthread_mutex_lock(mutex) == 0);
	return NULL;
}

static void *try_from_elsewhere(void *mutex)
{
	struct timespec soon;
	clock_gettime(CLOCK_REALTIME, &soon);
	CHECK(pthread_mutex_trylock(mutex) == EBUSY);
	CHECK(pthread_mutex_timedlock(mutex, &soon) == ETIMEDOUT);
	clock_gettime(CLOCK_MONOTONIC, &soon);
	CHECK(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
	return NULL;
}

static void elsewhere(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, function, argument) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

int main(void)
{
	static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

	pthread_mutex_t recursive = of_kind(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_mutex_lock(&recursive) == 0);
	elsewhere(try_from_elsewhere, &recursive);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_mutex_unlock(&recursive) == 0);
	CHECK(pthread_mutex_unlock(&recursive) == EPERM);

	pthread_mutex_t checking = of_kind(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
	CHECK(pthread_mutex_lock(&checking) == 0);
	CHECK(pthread_mutex_lock(&checking) == EDEADLK);
	CHECK(pthread_mutex_trylock(&checking) == EBUSY);
	elsewhere(try_from_elsewhere, &checking);
	CHECK(pthread_mutex_unlock(&checking) == 0);
	CHECK(pthread_mutex_unlock(&checking) == EPERM);
	CHECK(pthread_mutex_destroy(&checking) == 0);

	pthread_mutex_t robust = of_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
	elsewhere(lock_and_end, &robust);
	CHECK(pthread_mutex_lock(&robust) == EOWNERDEAD);
	CHECK(pthread_mutex_consistent(&robust) == 0);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	elsewhere(lock_and_end, &robust);
	CHECK(pthread_mutex_trylock(&robust) == EOWNERDEAD);
	CHECK(pthread_mutex_unlock(&robust) == 0);
	CHECK(pthread_mutex_lock(&robust) == ENOTRECOVERABLE);

	pthread_mutex_t inheriting = of_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT);
	pthread_mutex_t *mutexes[] = { &plain, &adaptive, &inheriting };
	int counters[3] = { 0, 0, 0 };
	int *counts = counters;
	pthread_mutex_t **all = mutexes;
	dispatch_apply(20000, NULL, ^(size_t index) {
		CHECK(pthread_mutex_lock(all[index % 3]) == 0);
		counts[index % 3]++;
		CHECK(pthread_mutex_unlock(all[index % 3]) == 0);
	});
	printf("%d %d %d\n", counters[0], counters[1], counters[2]);
	return 0;
}
