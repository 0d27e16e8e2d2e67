// The kinds of this thread's descriptors.
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Observers/descriptor_kind.h"
#include "CTraceRecorder.h"
#include "probe.h"

// Prints whether the recorder finds this kind.
static void check(const char *name, uint8_t kind, int descriptor)
{
	if (descriptor < 0) abort();
	printf("%s %d\n", name, qs_descriptor_kind_read(qs_current_tid(), (uint32_t)descriptor) == kind);
}

static int open_terminal(void)
{
	int controller = posix_openpt(O_RDWR | O_NOCTTY);
	if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0) abort();
	return open(ptsname(controller), O_RDWR | O_NOCTTY);
}

static int open_fifo(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/fifo", directory);
	if (mkfifo(path, 0600) != 0) abort();
	return open(path, O_RDWR);
}

#define QS_CHECK(kind, descriptor) check(#kind, qs_descriptor_kind_##kind, descriptor)

int probe_descriptors(int argc, char **argv)
{
	(void)argc;
	int pipes[2];
	sigset_t signals;
	sigemptyset(&signals);
	if (pipe(pipes) != 0) abort();
	QS_CHECK(regular_file, open("/proc/self/exe", O_RDONLY));
	QS_CHECK(directory, open(argv[0], O_RDONLY | O_DIRECTORY));
	QS_CHECK(pipe, pipes[0]);
	QS_CHECK(fifo, open_fifo(argv[0]));
	QS_CHECK(tcp_socket, socket(AF_INET, SOCK_STREAM, 0));
	QS_CHECK(udp_socket, socket(AF_INET, SOCK_DGRAM, 0));
	QS_CHECK(unix_socket, socket(AF_UNIX, SOCK_STREAM, 0));
	QS_CHECK(terminal, open_terminal());
	QS_CHECK(eventfd, eventfd(0, 0));
	QS_CHECK(timerfd, timerfd_create(CLOCK_MONOTONIC, 0));
	QS_CHECK(signalfd, signalfd(-1, &signals, 0));
	QS_CHECK(inotify, inotify_init1(0));
	QS_CHECK(other, open("/dev/null", O_RDWR));
	close(pipes[1]);
	QS_CHECK(unknown, pipes[1]);
	return 0;
}
