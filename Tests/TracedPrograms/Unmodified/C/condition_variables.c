// Condition variables (wait, timed wait, signal, broadcast) between items and threads; barriers and spin locks.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static int turn, arrived;

static void *player(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 0; i < 300; i++) {
		CHECK(pthread_mutex_lock(&mutex) == 0);
		while (turn % 3 != me)
			CHECK(pthread_cond_wait(&condition, &mutex) == 0);
		turn++;
		CHECK(pthread_cond_broadcast(&condition) == 0);
		CHECK(pthread_mutex_unlock(&mutex) == 0);
	}
	pthread_barrier_wait(&barrier);
	pthread_spin_lock(&spin);
	arrived++;
	pthread_spin_unlock(&spin);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct timespec soon;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&barrier, NULL, 3);
	for (intptr_t i = 0; i < 2; i++)
		CHECK(pthread_create(&threads[i], NULL, player, (void *)i) == 0);
	dispatch_queue_t queue = dispatch_queue_create("player", NULL);
	dispatch_async(queue, ^{ player((void *)2); });
	dispatch_sync(queue, ^{ });
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);

	pthread_mutex_lock(&mutex);
	clock_gettime(CLOCK_REALTIME, &soon);
	CHECK(pthread_cond_timedwait(&condition, &mutex, &soon) == ETIMEDOUT);
	CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
	pthread_mutex_unlock(&mutex);
	printf("%d turns, %d arrived\n", turn, arrived);
	return 0;
}
