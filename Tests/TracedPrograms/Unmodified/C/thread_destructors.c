// Destructors of thread-specific data use Dispatch and locks in every round while the thread ends.
//: items 901
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>

static dispatch_queue_t queue;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, ran;

static void run(void *context)
{
	(void)context;
	ran++;
}

static void destroy(void *value)
{
	dispatch_async_f(queue, NULL, run);
	dispatch_sync_f(queue, NULL, run);
	pthread_mutex_lock(&mutex);
	destroyed++;
	pthread_mutex_unlock(&mutex);
	// Sets the value again in each round of destructors that the system allows.
	if ((intptr_t)value > 1)
		pthread_setspecific(key, (void *)((intptr_t)value - 1));
}

static void *thread(void *argument)
{
	pthread_setspecific(key, argument);
	return NULL;
}

int main(void)
{
	queue = dispatch_queue_create("destructors", NULL);
	pthread_key_create(&key, destroy);
	for (int round = 0; round < 50; round++) {
		pthread_t threads[3];
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, thread, (void *)3);
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
	}
	dispatch_sync_f(queue, NULL, run);
	printf("%d destroyed, %d ran\n", destroyed, ran);
	return 0;
}
