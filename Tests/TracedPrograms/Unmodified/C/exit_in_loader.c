// Exits while another thread is blocked inside dl_iterate_phdr, so the loader's lock is never free.
//: discards
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

static volatile int is_inside;

static int stay(__attribute__((unused)) struct dl_phdr_info *info, __attribute__((unused)) size_t size,
	__attribute__((unused)) void *context)
{
	is_inside = 1;
	for (;;) pause();
}

static void *visit(__attribute__((unused)) void *context)
{
	dl_iterate_phdr(stay, NULL);
	return NULL;
}

static void run(__attribute__((unused)) void *context) {}

// Another function, so that the recorder looks for its library.
static void run_last(__attribute__((unused)) void *context)
{
	is_inside = 2;
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
	dispatch_sync_f(queue, NULL, run);
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, visit, NULL) == 0);
	while (!is_inside) usleep(1000);
	dispatch_sync_f(queue, NULL, run);
	usleep(300 * 1000);
	dispatch_async_f(queue, NULL, run_last);
	puts("exits");
	return 0;
}
