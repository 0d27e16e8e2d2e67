#define _GNU_SOURCE
#include "memory_limit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SHARE = 16, // of the limit
};

// Large buffers are static, here and in all code that starts a session under its lock: the program may start a session
// on a small stack.

// Number in a file of a cgroup; UINT64_MAX for "max", or when there is no such file.
static uint64_t read_number(const char *folder, const char *name)
{
	static char path[PATH_MAX];
	char text[32];
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return UINT64_MAX;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return UINT64_MAX;
	ssize_t count = read(file, text, sizeof text - 1);
	close(file);
	if (count <= 0 || text[0] < '0' || text[0] > '9') return UINT64_MAX;
	text[count] = 0;
	return strtoull(text, NULL, 10);
}

// A line of /proc/self/cgroup is HIERARCHY:CONTROLLERS:PATH, without controllers for version 2. Returns the path,
// terminated in place; NULL when the line is of another hierarchy.
static char *memory_path(char *line, bool *is_version_2)
{
	char *controllers = strchr(line, ':');
	char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
	if (path == NULL) return NULL;
	*path++ = 0;
	*is_version_2 = controllers[1] == 0;
	char *found = strstr(controllers + 1, "memory");
	return *is_version_2 || found != NULL ? path : NULL;
}

struct memory {
	uint64_t limit; // UINT64_MAX: none
	uint64_t used;
};

// Narrows to the smallest limit of the cgroup and its parents. In a container the path may be a path of the host, of
// which only the last part, or nothing, is mounted. Therefore the files of the mount itself are read as well.
static void narrow(struct memory *memory, const char *mount, char *path, bool is_version_2)
{
	static char folder[PATH_MAX];
	for (;;) {
		if (snprintf(folder, sizeof folder, "%s%s", mount, path) < (int)sizeof folder) {
			uint64_t limit = read_number(folder, is_version_2 ? "memory.max" : "memory.limit_in_bytes");
			if (limit < memory->limit) {
				memory->limit = limit;
				memory->used = read_number(folder, is_version_2 ? "memory.current" : "memory.usage_in_bytes");
			}
		}
		char *last = strrchr(path, '/');
		if (last == NULL) return;
		*last = 0;
	}
}

static struct memory read_memory(void)
{
	struct memory memory = {.limit = UINT64_MAX};
	static char text[4096];
	int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
	if (file < 0) return memory;
	ssize_t count = read(file, text, sizeof text - 1);
	close(file);
	if (count <= 0) return memory;
	text[count] = 0;
	char *rest = NULL;
	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		bool is_version_2;
		char *path = memory_path(line, &is_version_2);
		const char *root = is_version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
		if (path != NULL) narrow(&memory, root, path, is_version_2);
	}
	return memory;
}

uint64_t qs_memory_limit(uint64_t wish)
{
	uint64_t bytes = wish != 0 ? wish : QS_USUAL_MEMORY;
	uint64_t share = read_memory().limit / SHARE;
	return bytes < share ? bytes : share;
}

uint64_t qs_memory_room(uint64_t bytes)
{
	struct memory memory = read_memory();
	if (memory.limit == UINT64_MAX || memory.used == UINT64_MAX) return bytes;
	uint64_t most = memory.limit - memory.limit / SHARE;
	uint64_t room = memory.used < most ? most - memory.used : 0;
	return room < bytes ? room : bytes;
}
