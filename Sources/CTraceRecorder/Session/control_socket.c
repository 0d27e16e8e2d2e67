#define _GNU_SOURCE
#include "control_socket.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "control_requests.h"

enum {
	BACKLOG = 16,
	NAMES = 4, // most sockets of processes with the same number
	FLAGS = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
};

// The name that is in use, 0: `queuescope.1.PID`.
static int used_name;

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

static int connect_to(int name)
{
	struct sockaddr_un address;
	socklen_t length = make_address(&address, name);
	int file = socket(AF_UNIX, FLAGS, 0);
	if (file >= 0 && connect(file, (struct sockaddr *)&address, length) != 0) {
		close(file);
		return -1;
	}
	return file;
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
	struct sockaddr_un address;
	socklen_t length = make_address(&address, name);
	used_name = name;
	return bind(file, (struct sockaddr *)&address, length) == 0 && listen(file, BACKLOG) == 0;
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

int qs_control_socket_accept(int listener)
{
	int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (file < 0) return -1;
	struct ucred peer;
	socklen_t size = sizeof peer;
	bool is_known = getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
	if (is_known && (peer.uid == 0 || peer.uid == geteuid())) return file;
	qs_control_refuse(file);
	close(file);
	errno = EPERM;
	return -1;
}

void qs_control_socket_wake(void)
{
	int file = connect_to(used_name);
	if (file >= 0) close(file);
}
