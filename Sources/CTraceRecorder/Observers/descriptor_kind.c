#define _GNU_SOURCE
#include "descriptor_kind.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../System/system_calls.h"
#include "CTraceRecorder.h"

bool qs_descriptor_kind_is_socket(uint8_t kind)
{
	switch (kind) {
	case qs_descriptor_kind_tcp_socket:
	case qs_descriptor_kind_udp_socket:
	case qs_descriptor_kind_unix_socket:
	case qs_descriptor_kind_socket: return true;
	default: return false;
	}
}

static bool begins_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Kind of an object without a file, from the rest of its link, such as "[eventfd]" or "inotify".
static uint8_t kind_of_kernel_object(const char *name)
{
	if (*name == '[') name++;
	if (begins_with(name, "eventfd")) return qs_descriptor_kind_eventfd;
	if (begins_with(name, "timerfd")) return qs_descriptor_kind_timerfd;
	if (begins_with(name, "signalfd")) return qs_descriptor_kind_signalfd;
	return begins_with(name, "inotify") ? qs_descriptor_kind_inotify : qs_descriptor_kind_other;
}

// The kernel has the name of the protocol as an extended attribute, such as "TCPv6". getsockopt needs the descriptor
// itself, and the recorder thread has its own descriptor table.
static uint8_t kind_of_socket(const char *link)
{
	char protocol[32] = "";
	if (getxattr(link, "system.sockprotoname", protocol, sizeof protocol - 1) <= 0) return qs_descriptor_kind_socket;
	if (begins_with(protocol, "TCP") || begins_with(protocol, "MPTCP")) return qs_descriptor_kind_tcp_socket;
	if (begins_with(protocol, "UDP")) return qs_descriptor_kind_udp_socket;
	return begins_with(protocol, "UNIX") ? qs_descriptor_kind_unix_socket : qs_descriptor_kind_socket;
}

static bool is_terminal(const char *path)
{
	return begins_with(path, "/dev/pts/") || begins_with(path, "/dev/tty") || strcmp(path, "/dev/console") == 0;
}

static uint8_t kind_of_file(const char *link)
{
	struct statx status = {0};
	if (syscall(SYS_statx, AT_FDCWD, link, AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) {
		return qs_descriptor_kind_unknown;
	}
	switch (status.stx_mode & S_IFMT) {
	case S_IFREG: return qs_descriptor_kind_regular_file;
	case S_IFDIR: return qs_descriptor_kind_directory;
	case S_IFIFO: return qs_descriptor_kind_fifo;
	default: return qs_descriptor_kind_other;
	}
}

uint8_t qs_descriptor_kind_read(uint32_t tid, uint32_t descriptor)
{
	static const char ANONYMOUS[] = "anon_inode:";
	char link[64], target[64];
	snprintf(link, sizeof link, "/proc/self/task/%u/fd/%u", tid, descriptor);
	// Only the begin of the target matters.
	ssize_t length = readlink(link, target, sizeof target - 1);
	if (length <= 0) return qs_descriptor_kind_unknown;
	target[length] = 0;
	if (begins_with(target, "pipe:[")) return qs_descriptor_kind_pipe;
	if (begins_with(target, "socket:[")) return kind_of_socket(link);
	if (begins_with(target, ANONYMOUS)) return kind_of_kernel_object(target + strlen(ANONYMOUS));
	return is_terminal(target) ? qs_descriptor_kind_terminal : kind_of_file(link);
}
