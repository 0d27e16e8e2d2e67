// Thousands of threads that record an event now and then, while two threads record at a steady rate.
// usage: many_threads THREADS SYNCS_PER_SECOND SECONDS
// Prints the duration of the work and the processor time that the recorder's threads took, in nanoseconds.
#define _GNU_SOURCE
#include <dirent.h>
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_THREADS = 2, STACK = 64 * 1024, TICKS = 1000 };

static const int64_t SECOND = 1000 * 1000 * 1000;
static const int64_t START = 5ll * 1000 * 1000 * 1000; // until the threads have begun and have their files
static dispatch_queue_t queues[BUSY_THREADS];
static atomic_bool is_over;
static int64_t syncs_per_tick;

static void run(void *context) { (void)context; }

static int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

static void wait_until(int64_t time)
{
	struct timespec end = {.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

// Uses a queue of its own once a second.
static void *use_queue_rarely(void *argument)
{
	dispatch_queue_t queue = dispatch_queue_create("many-threads.own", NULL);
	int64_t next = now() + (int64_t)(uintptr_t)argument;
	for (; !atomic_load(&is_over); next += SECOND) {
		dispatch_sync_f(queue, NULL, run);
		wait_until(next);
	}
	dispatch_release(queue);
	return NULL;
}

// Does its part of the syncs in each millisecond. It makes up for missed milliseconds.
static void *use_queue_often(void *argument)
{
	dispatch_queue_t queue = *(dispatch_queue_t *)argument;
	for (int64_t next = now(); !atomic_load(&is_over); next += SECOND / TICKS) {
		for (int64_t sync = 0; sync < syncs_per_tick; sync++) dispatch_sync_f(queue, NULL, run);
		wait_until(next);
	}
	return NULL;
}

// The processor time of the recorder's threads, from the first number of schedstat.
static int64_t recorder_time(void)
{
	int64_t sum = 0;
	DIR *tasks = opendir("/proc/self/task");
	if (tasks == NULL) return -1;
	for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
		char path[300], name[32] = "";
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
		FILE *file = fopen(path, "r");
		if (file == NULL) continue;
		bool is_recorder = fgets(name, sizeof name, file) != NULL && strncmp(name, "queuescope", 10) == 0;
		fclose(file);
		snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task->d_name);
		if (!is_recorder || (file = fopen(path, "r")) == NULL) continue;
		long long time = 0;
		if (fscanf(file, "%lld", &time) == 1) sum += time;
		fclose(file);
	}
	closedir(tasks);
	return sum;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 10000;
	int64_t rate = argc > 2 ? atoll(argv[2]) : 250000, seconds = argc > 3 ? atoll(argv[3]) : 10;
	syncs_per_tick = rate / BUSY_THREADS / TICKS;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	pthread_t *threads = calloc((size_t)count + BUSY_THREADS, sizeof *threads);
	for (int index = 0; index < count; index++) {
		void *delay = (void *)(uintptr_t)(SECOND / count * index);
		if (pthread_create(&threads[index], &attributes, use_queue_rarely, delay) == 0) continue;
		fprintf(stderr, "only %d of %d threads can be made\n", index, count);
		return 1;
	}
	wait_until(now() + START);
	for (int index = 0; index < BUSY_THREADS; index++) {
		queues[index] = dispatch_queue_create("many-threads.busy", NULL);
		if (pthread_create(&threads[count + index], NULL, use_queue_often, &queues[index]) != 0) return 1;
	}
	wait_until(now() + SECOND);
	int64_t begin = now(), before = recorder_time();
	wait_until(begin + seconds * SECOND);
	printf("%lld %lld\n", (long long)(now() - begin), (long long)(recorder_time() - before));
	atomic_store(&is_over, true);
	for (int index = 0; index < count + BUSY_THREADS; index++) pthread_join(threads[index], NULL);
	free(threads);
	return 0;
}
