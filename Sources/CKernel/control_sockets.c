#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "CKernel.h"

int qs_control_connect(const char *name, int *process, uint32_t *user)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t length = strlen(name);
	if (length >= sizeof address.sun_path) return -ENAMETOOLONG;
	memcpy(address.sun_path + 1, name, length); // abstract: the first byte is 0
	int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (file < 0) return -errno;
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
	struct ucred owner;
	socklen_t owner_size = sizeof owner;
	bool is_connected = connect(file, (struct sockaddr *)&address, size) == 0
		&& getsockopt(file, SOL_SOCKET, SO_PEERCRED, &owner, &owner_size) == 0;
	if (!is_connected) {
		int error = errno;
		close(file);
		return -error;
	}
	*process = owner.pid;
	*user = owner.uid;
	return file;
}

int64_t qs_control_send(int file, const void *request, size_t size)
{
	ssize_t sent = send(file, request, size, MSG_NOSIGNAL | MSG_DONTWAIT);
	return sent < 0 ? -errno : sent;
}

int64_t qs_control_receive(int file, void *answer, size_t size)
{
	ssize_t received;
	do received = recv(file, answer, size, MSG_DONTWAIT);
	while (received < 0 && errno == EINTR);
	return received < 0 ? -errno : received;
}
