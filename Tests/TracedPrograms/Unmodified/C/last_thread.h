/* A thread that runs for some time after the main thread has ended. */
#pragma once
#include "check.h"
#include <pthread.h>
#include <unistd.h>

static void *go_on(void *main_thread)
{
	CHECK(pthread_join((pthread_t)main_thread, NULL) == 0);
	usleep(200 * 1000);
	puts("last thread");
	return NULL;
}

static void start_last_thread(void)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, go_on, (void *)pthread_self()) == 0);
}
