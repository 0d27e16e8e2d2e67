// Changes of a process during a recording: its user, root directory and limits, and repeated sessions.
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CTraceRecorder.h"
#include "probe.h"

enum { THREADS = 8, EVENTS = 100 };

static pthread_barrier_t together;

static void *record_events(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (uint64_t index = 0; index < EVENTS; index++) qs_record_item_begin(thread << 32 | index, 17);
	// All threads are alive at once, so that no stream is reused.
	pthread_barrier_wait(&together);
	return NULL;
}

// Records in new threads, each with a stream of its own.
static void record_in_threads(void)
{
	pthread_t threads[THREADS];
	pthread_barrier_init(&together, NULL, THREADS);
	for (uintptr_t index = 0; index < THREADS; index++) {
		pthread_create(&threads[index], NULL, record_events, (void *)(index + 1));
	}
	for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
	pthread_barrier_destroy(&together);
}

int probe_change_user(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 0);
	qs_record_item_begin(0, 17);
	if (setgid(65534) != 0 || setuid(65534) != 0) return 2;
	record_in_threads();
	printf("discarded %lu\n", (unsigned long)qs_session_stop());
	return 0;
}

int probe_change_root(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	qs_record_item_begin(0, 17);
	if (chroot(argv[1]) != 0 || chdir("/") != 0) return 2;
	record_in_threads();
	printf("discarded %lu\n", (unsigned long)qs_session_stop());
	return 0;
}

// The trace reaches its limit, so that events are discarded. Then the file size limit forbids writes to its last
// packet.
int probe_change_limit(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 2 << 20);
	uint64_t attempted = 0;
	while (qs_session_discarded() == 0) qs_record_item_begin(attempted++, 17);
	struct rlimit size = {4096, 4096};
	if (setrlimit(RLIMIT_FSIZE, &size) != 0) return 2;
	for (int index = 0; index < 100000; index++) qs_record_item_begin(attempted++, 17);
	printf("attempted %lu discarded %lu\n", (unsigned long)attempted, (unsigned long)qs_session_stop());
	return 0;
}

static int count_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	int count = 0;
	for (int character; file != NULL && (character = fgetc(file)) != EOF;) count += character == '\n';
	if (file != NULL) fclose(file);
	return count;
}

static int count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;
	while (directory != NULL && readdir(directory) != NULL) count += 1;
	if (directory != NULL) closedir(directory);
	return count;
}

static long resident_kilobytes(void)
{
	char line[128];
	long kilobytes = 0;
	FILE *file = fopen("/proc/self/status", "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "VmRSS: %ld", &kilobytes);
	if (file != NULL) fclose(file);
	return kilobytes;
}

// Repeated sessions, as in a service that rotates its traces. Prints resources after a tenth and after all sessions.
int probe_rotation(int argc, char **argv)
{
	if (argc < 2) return 64;
	long count = atol(argv[1]);
	for (long index = 0; index < count; index++) {
		char directory[4096];
		snprintf(directory, sizeof directory, "%s/session-%ld", argv[0], index);
		probe_start(directory, 0);
		record_in_threads();
		if (qs_session_stop() != 0) return 1;
		if (index + 1 != count / 10 && index + 1 != count) continue;
		printf("mappings %d descriptors %d kilobytes %ld\n", count_lines("/proc/self/maps"), count_descriptors(),
			resident_kilobytes());
	}
	return 0;
}

// A session with threads, and another one without them.
int probe_fewer_threads(int argc, char **argv)
{
	if (argc < 1) return 64;
	static const char *const names[] = {"first", "second"};
	for (int session = 0; session < 2; session++) {
		char directory[4096];
		snprintf(directory, sizeof directory, "%s/%s", argv[0], names[session]);
		probe_start(directory, 0);
		if (session == 0) record_in_threads();
		qs_record_item_begin(0, 17);
		if (qs_session_stop() != 0) return 1;
	}
	return 0;
}
