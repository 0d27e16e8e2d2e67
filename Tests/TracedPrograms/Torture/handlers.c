// Signal handlers that enqueue items while the interrupted thread computes (and a handler may call any function), and a
// handler that calls exit.
// usage: handlers COUNT
#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dispatch_queue_t queue;
static atomic_int handled, runs;
static int wanted;
static volatile double number = 1;

static void run(void *context)
{
	(void)context;
	runs++;
}

static void handle(int signal)
{
	(void)signal;
	dispatch_async_f(queue, NULL, run);
	dispatch_sync_f(queue, NULL, run);
	handled++;
}

static void *compute(void *argument)
{
	while (handled < wanted) number = number * 1.0000001;
	return argument;
}

static void finish(int signal)
{
	(void)signal;
	dispatch_sync_f(queue, NULL, run);
	printf("%d handled, %d runs\n", handled, runs);
	exit(7);
}

int main(int argc, char **argv)
{
	wanted = argc > 1 ? atoi(argv[1]) : 10;
	queue = dispatch_queue_create("torture.handlers", NULL);
	struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = finish;
	sigaction(SIGUSR2, &action, NULL);
	pthread_t thread;
	pthread_create(&thread, NULL, compute, NULL);
	for (int sent = 0; sent < wanted; sent++) {
		pthread_kill(thread, SIGUSR1);
		while (handled <= sent) sched_yield();
	}
	pthread_join(thread, NULL);
	raise(SIGUSR2);
	return 0;
}
