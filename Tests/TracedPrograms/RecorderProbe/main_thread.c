// Main threads that end by pthread_exit while other threads record.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"
#include "probe.h"

static const char *folder;
static long pause_ms;

static void pause_for(long milliseconds)
{
	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static void start_session(const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	probe_start(path, 0);
}

static void at_exit(void)
{
	printf("exit\n");
}

// Waits until the main thread is a zombie.
static void wait_for_main_thread(void)
{
	char state = 0;
	while (state != 'Z') {
		pause_for(10);
		FILE *file = fopen("/proc/self/stat", "r");
		if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1) exit(4);
		fclose(file);
	}
}

static void *restart_session(void *unused)
{
	wait_for_main_thread();
	qs_session_stop();
	pause_for(pause_ms);
	start_session("second");
	qs_record_item_begin(1, 1);
	return unused; // the last thread of the program: the C library calls exit
}

int probe_main_thread_sessions(int argc, char **argv)
{
	if (argc < 2) return 64;
	folder = argv[0];
	pause_ms = atol(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	atexit(at_exit);
	start_session("first");
	pthread_t thread;
	if (pthread_create(&thread, NULL, restart_session, NULL) != 0) return 1;
	pthread_exit(NULL);
}

static void *work(void *unused)
{
	wait_for_main_thread();
	pause_for(300);
	printf("work done\n");
	return unused;
}

static void *fork_and_record(void *unused)
{
	wait_for_main_thread();
	pid_t child = fork();
	if (child == 0) {
		start_session("child");
		pause_for(200);
		pthread_t thread;
		if (pthread_create(&thread, NULL, work, NULL) != 0) _exit(1);
		pthread_exit(NULL);
	}
	int status = -1;
	if (waitpid(child, &status, 0) != child || status != 0) printf("child %d\n", status);
	return unused;
}

int probe_main_thread_fork(int argc, char **argv)
{
	if (argc < 1) return 64;
	folder = argv[0];
	setvbuf(stdout, NULL, _IOLBF, 0);
	start_session("parent");
	pthread_t thread;
	if (pthread_create(&thread, NULL, fork_and_record, NULL) != 0) return 1;
	pthread_exit(NULL);
}
