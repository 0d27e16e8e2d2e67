// A reader and a writer wait for a writer, and then a writer waits for a reader of another lock.
//: items 1
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_rwlock_t written, read_first;

static void *read_written(void *argument)
{
	CHECK(pthread_rwlock_rdlock(&written) == 0);
	CHECK(pthread_rwlock_unlock(&written) == 0);
	return argument;
}

static void *write_to(void *lock)
{
	CHECK(pthread_rwlock_wrlock(lock) == 0);
	CHECK(pthread_rwlock_unlock(lock) == 0);
	return NULL;
}

// Waits until a writer waits for a lock, and `readers` threads read it or wait to read it.
static void wait_for(pthread_rwlock_t *lock, unsigned readers)
{
#ifdef __GLIBC__
	enum { WRITE_LOCKED = 2, READER_SHIFT = 3, FUTEX_USED = 2 };
	for (;;) {
		unsigned state = __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED);
		unsigned writers = __atomic_load_n(&lock->__data.__writers_futex, __ATOMIC_RELAXED);
		unsigned phase = __atomic_load_n(&lock->__data.__wrphase_futex, __ATOMIC_RELAXED);
		bool writer_waits = ((writers | phase) & FUTEX_USED) != 0 && (state & WRITE_LOCKED) != 0;
		if (writer_waits && state >> READER_SHIFT == readers) return;
		sched_yield();
	}
#else
	(void)lock, (void)readers;
#endif
}

static void contend(void *argument)
{
	(void)argument;
	pthread_t reader, writer;
	CHECK(pthread_rwlock_init(&written, NULL) == 0);
	CHECK(pthread_rwlock_wrlock(&written) == 0);
	CHECK(pthread_create(&reader, NULL, read_written, NULL) == 0);
	CHECK(pthread_create(&writer, NULL, write_to, &written) == 0);
	wait_for(&written, 1);
	CHECK(pthread_rwlock_unlock(&written) == 0);
	CHECK(pthread_join(reader, NULL) == 0);
	CHECK(pthread_join(writer, NULL) == 0);

	CHECK(pthread_rwlock_init(&read_first, NULL) == 0);
	CHECK(pthread_rwlock_rdlock(&read_first) == 0);
	CHECK(pthread_create(&writer, NULL, write_to, &read_first) == 0);
	wait_for(&read_first, 1);
	CHECK(pthread_rwlock_unlock(&read_first) == 0);
	CHECK(pthread_join(writer, NULL) == 0);
	CHECK(pthread_rwlock_destroy(&written) == 0);
	CHECK(pthread_rwlock_destroy(&read_first) == 0);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("locks", NULL);
	dispatch_sync_f(queue, NULL, contend);
	dispatch_release(queue);
	return 0;
}
