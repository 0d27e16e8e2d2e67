// Two threads fork at the same time, and the first fork takes longer than the second one waits for a lock. The program
// calls the registered handlers itself, because glibc may run only one fork at a time.
//: discards
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

enum { MOST = 32 };

static struct {
	void (*prepare)(void), (*in_parent)(void);
} handlers[MOST];
static int count;
static sem_t first_prepared, second_done;

// Every library registers its handlers by this function. The definition of the program takes its place.
__attribute__((visibility("default"))) int __register_atfork(
	void (*prepare)(void), void (*in_parent)(void), void (*in_child)(void), void *object)
{
	(void)in_child;
	(void)object;
	if (count == MOST) return 1;
	handlers[count].prepare = prepare;
	handlers[count++].in_parent = in_parent;
	return 0;
}

static void prepare(void)
{
	for (int i = count - 1; i >= 0; i--)
		if (handlers[i].prepare != NULL) handlers[i].prepare();
}

static void continue_in_parent(void)
{
	for (int i = 0; i < count; i++)
		if (handlers[i].in_parent != NULL) handlers[i].in_parent();
}

static void *fork_first(void *unused)
{
	(void)unused;
	prepare();
	sem_post(&first_prepared);
	sem_wait(&second_done);
	continue_in_parent();
	// The thread can use queues as before.
	dispatch_queue_t queue = dispatch_queue_create("after.first", dispatch_queue_attr_make_initially_inactive(NULL));
	dispatch_activate(queue);
	dispatch_sync(queue, ^{ puts("first"); });
	dispatch_release(queue);
	return NULL;
}

static void *fork_second(void *unused)
{
	(void)unused;
	sem_wait(&first_prepared);
	prepare();
	continue_in_parent();
	sem_post(&second_done);
	return NULL;
}

int main(void)
{
	sem_init(&first_prepared, 0, 0);
	sem_init(&second_done, 0, 0);
	dispatch_sync(dispatch_queue_create("before", NULL), ^{ });
	pthread_t first, second;
	CHECK(pthread_create(&first, NULL, fork_first, NULL) == 0);
	CHECK(pthread_create(&second, NULL, fork_second, NULL) == 0);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
