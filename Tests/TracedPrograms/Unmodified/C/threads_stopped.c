// Stops its other threads by a signal at any point, as a garbage collector does, creates queues, and exits while they
// are stopped. A thread that waits for one of them waits forever.
//: discards
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

enum { THREADS = 3, STOPS = 3 };

static sem_t stopped, resumed;
static volatile sig_atomic_t is_stopped;

static void on_stop(__attribute__((unused)) int number)
{
	sigset_t others;
	sigfillset(&others);
	sigdelset(&others, SIGUSR2);
	sem_post(&stopped);
	while (is_stopped) sigsuspend(&others);
	sem_post(&resumed);
}

static void on_go_on(__attribute__((unused)) int number) {}

static void *make_queues(__attribute__((unused)) void *context)
{
	for (;;) dispatch_release(dispatch_queue_create("mutator", NULL));
}

int main(void)
{
	sem_init(&stopped, 0, 0);
	sem_init(&resumed, 0, 0);
	struct sigaction action = {.sa_handler = on_stop};
	sigfillset(&action.sa_mask);
	sigdelset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = on_go_on;
	sigaction(SIGUSR2, &action, NULL);
	pthread_t threads[THREADS];
	for (int index = 0; index < THREADS; index++) {
		CHECK(pthread_create(&threads[index], NULL, make_queues, NULL) == 0);
	}
	for (int stop = 1;; stop++) {
		usleep(1000 * stop);
		is_stopped = 1;
		for (int index = 0; index < THREADS; index++) pthread_kill(threads[index], SIGUSR1);
		for (int index = 0; index < THREADS; index++) while (sem_wait(&stopped) != 0) {}
		dispatch_release(dispatch_queue_create("collector", NULL));
		if (stop == STOPS) break;
		is_stopped = 0;
		for (int index = 0; index < THREADS; index++) pthread_kill(threads[index], SIGUSR2);
		for (int index = 0; index < THREADS; index++) while (sem_wait(&resumed) != 0) {}
	}
	puts("exits");
	return 0;
}
