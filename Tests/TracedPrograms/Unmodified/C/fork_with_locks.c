// The fork handlers of a library take its lock, which other threads hold while they use Dispatch.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_over;

static void take(void)
{
	pthread_mutex_lock(&lock);
}

static void give_back(void)
{
	pthread_mutex_unlock(&lock);
}

static void library_starts(void)
{
	pthread_atfork(take, give_back, give_back);
}

// Runs before all constructors, so that the handlers are registered as early as those of a library.
__attribute__((section(".preinit_array"), used)) static void (*const starts)(void) = library_starts;

static void *make_queues(void *unused)
{
	while (!is_over) {
		take();
		dispatch_queue_t queue = dispatch_queue_create("under the lock", NULL);
		dispatch_sync(queue, ^{ });
		dispatch_release(queue);
		give_back();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, make_queues, NULL);
	for (int i = 0; i < 200; i++) {
		pid_t child = fork();
		CHECK(child >= 0);
		if (child == 0)
			_exit(7);
		int status;
		CHECK(waitpid(child, &status, 0) == child);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	}
	is_over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("200 forks");
	return 0;
}
