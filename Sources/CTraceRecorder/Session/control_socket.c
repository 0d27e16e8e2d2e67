#define _GNU_SOURCE
#include "control_socket.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../System/system_calls.h"
#include "control_requests.h"

enum {
	BACKLOG = 16,
	NAMES = 4, // most sockets of processes with the same number
	FLAGS = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
};

// The address that is in use. The wake-up does not compose it again, because a signal handler must not print.
static struct {
	struct sockaddr_un address;
	socklen_t length; // 0: none
} used;

static socklen_t make_address(struct sockaddr_un *address, int name)
{
	char suffix[16] = "";
	if (name != 0) snprintf(suffix, sizeof suffix, ".%d", name);
	address->sun_family = AF_UNIX;
	address->sun_path[0] = 0; // abstract
	int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "queuescope.%d.%d%s",
		QS_CONTROL_VERSION, (int)getpid(), suffix);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int connect_to_address(const struct sockaddr_un *address, socklen_t length)
{
	int file = socket(AF_UNIX, FLAGS, 0);
	if (file >= 0 && connect(file, (const struct sockaddr *)address, length) != 0) {
		close(file);
		return -1;
	}
	return file;
}

static int connect_to(int name)
{
	struct sockaddr_un address;
	socklen_t length = make_address(&address, name);
	return connect_to_address(&address, length);
}

static bool is_of_this_process(int name)
{
	int file = connect_to(name);
	if (file < 0) return false;
	struct ucred owner = {0};
	socklen_t size = sizeof owner;
	getsockopt(file, SOL_SOCKET, SO_PEERCRED, &owner, &size);
	close(file);
	return owner.pid == getpid();
}

static bool use_name(int file, int name)
{
	used.length = make_address(&used.address, name);
	return bind(file, (struct sockaddr *)&used.address, used.length) == 0 && listen(file, BACKLOG) == 0;
}

int qs_control_socket_open(void)
{
	int file = socket(AF_UNIX, FLAGS, 0);
	if (file < 0) return -1;
	for (int name = 0; name < NAMES; name++) {
		if (use_name(file, name)) return file;
		if (errno != EADDRINUSE) break;
		if (is_of_this_process(name)) {
			errno = EEXIST;
			break;
		}
		errno = EADDRINUSE;
	}
	int error = errno;
	close(file);
	errno = error;
	return -1;
}

int qs_control_socket_accept(int listener, void (*refuse)(int file))
{
	int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (file < 0) return -1;
	struct ucred peer;
	socklen_t size = sizeof peer;
	bool is_known = getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
	if (is_known && (peer.uid == 0 || peer.uid == geteuid())) return file;
	refuse(file);
	close(file);
	errno = EPERM;
	return -1;
}

void qs_control_socket_wake(void)
{
	int file = connect_to_address(&used.address, used.length);
	if (file >= 0) close(file);
}

static bool ask_for_flush(int file, int milliseconds)
{
	static const char request[] = "queuescope\0" "1\0" "flush";
	static const char success[] = "queuescope\0" "1\0" "ok";
	char answer[QS_ANSWER_BYTES];
	if (send(file, request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request) return false;
	struct pollfd files = {.fd = file, .events = POLLIN};
	struct timespec limit = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
	// Not by the function of the C library, which is hooked.
	if (syscall(SYS_ppoll, &files, 1, &limit, NULL, 0) <= 0) return false;
	ssize_t length = recv(file, answer, sizeof answer, 0);
	return length >= (ssize_t)sizeof success && memcmp(answer, success, sizeof success) == 0;
}

bool qs_control_socket_flush(int milliseconds)
{
	for (int name = 0; name < NAMES; name++) {
		if (!is_of_this_process(name)) continue;
		int file = connect_to(name);
		bool is_flushed = file >= 0 && ask_for_flush(file, milliseconds);
		if (file >= 0) close(file);
		return is_flushed;
	}
	return false;
}
