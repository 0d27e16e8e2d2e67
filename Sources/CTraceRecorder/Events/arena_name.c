#define _GNU_SOURCE
#include "arena_name.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// Reads the start of a small file; empty when it cannot be read.
static void read_start(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, size - 1) : 0;
	text[length > 0 ? length : 0] = 0;
	if (file >= 0) close(file);
}

void qs_arena_origin_describe(char *text, size_t size)
{
	char boot[64];
	read_start("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
	boot[strcspn(boot, "\n")] = 0;
	char space[64];
	ssize_t length = readlink("/proc/thread-self/ns/ipc", space, sizeof space - 1);
	space[length > 0 ? length : 0] = 0;
	const char *inode = strchr(space, '['); // ipc:[4026531839]
	size_t written = 0;
	text[0] = 0;
	if (boot[0] != 0) written = (size_t)snprintf(text, size, "boot %s\n", boot);
	if (inode != NULL) snprintf(text + written, size - written, "ipc %llu\n", strtoull(inode + 1, NULL, 10));
}

bool qs_arena_name_write(const char *directory, int memory_id, bool is_joined)
{
	static char name[PATH_MAX]; // static, because the stack may be small
	char id[32], origin[QS_ORIGIN_BYTES];
	int path_length = snprintf(name, sizeof name, "%s/%s", directory, qs_arena_name_file(is_joined));
	if (path_length >= (int)sizeof name) return false;
	if (memory_id < 0) return unlink(name) == 0;
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return false;
	qs_arena_origin_describe(origin, sizeof origin);
	size_t length = (size_t)snprintf(id, sizeof id, "shm %d\n", memory_id);
	struct iovec parts[] = {{id, length}, {origin, strlen(origin)}};
	bool is_written = writev(file, parts, 2) == (ssize_t)(parts[0].iov_len + parts[1].iov_len);
	return close(file) == 0 && is_written;
}
