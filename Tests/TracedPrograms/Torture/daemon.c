// Starts a service in the background, as daemons do, and ends. The service uses Dispatch and writes the result to a
// file.
// usage: daemon FILE
#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2) return 64;
	if (argc > 2) { // the service
		dispatch_queue_t queue = dispatch_queue_create("torture.service", NULL);
		__block int runs = 0;
		for (int round = 0; round < 200; round++) {
			dispatch_async(queue, ^{ runs++; });
			usleep(500);
		}
		dispatch_sync(queue, ^{});
		char name[4096];
		snprintf(name, sizeof name, "%s.new", argv[1]);
		FILE *file = fopen(name, "we");
		if (file == NULL) return 1;
		fprintf(file, "%d runs\n", runs);
		fclose(file);
		return rename(name, argv[1]);
	}
	pid_t child = fork();
	if (child == 0) {
		setsid();
		if (fork() != 0) _exit(0);
		for (int file = 0; file < 3; file++) {
			close(file);
			open("/dev/null", O_RDWR);
		}
		execl("/proc/self/exe", argv[0], argv[1], "service", NULL);
		_exit(1);
	}
	int status;
	waitpid(child, &status, 0);
	puts("started");
	return 0;
}
