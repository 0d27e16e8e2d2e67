// Two mutexes at one address, one after the other. A thread waits for each of them.
//: items 1
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex;

static void *lock_and_unlock(void *argument)
{
	CHECK(pthread_mutex_lock(&mutex) == 0);
	CHECK(pthread_mutex_unlock(&mutex) == 0);
	return argument;
}

static void contend(void)
{
	enum { HELD_AND_WAITED_FOR = 2 };
	pthread_t thread;
	CHECK(pthread_mutex_init(&mutex, NULL) == 0);
	CHECK(pthread_mutex_lock(&mutex) == 0);
	CHECK(pthread_create(&thread, NULL, lock_and_unlock, NULL) == 0);
#ifdef __GLIBC__
	while (__atomic_load_n(&mutex.__data.__lock, __ATOMIC_RELAXED) != HELD_AND_WAITED_FOR) sched_yield();
#endif
	CHECK(pthread_mutex_unlock(&mutex) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(pthread_mutex_destroy(&mutex) == 0);
}

static void round_of_two(void *argument)
{
	(void)argument;
	contend();
	contend();
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("locks", NULL);
	dispatch_sync_f(queue, NULL, round_of_two);
	dispatch_release(queue);
	return 0;
}
