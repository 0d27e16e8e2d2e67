#define _GNU_SOURCE
#include "task_list.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Format of getdents64. readdir is not used: it allocates, and the program's allocator may be the traced code.
struct directory_entry {
	uint64_t inode;
	int64_t next;
	uint16_t length;
	uint8_t type;
	char name[];
};

bool qs_numbers_visit(const char *path, void (*visit)(uint32_t number, void *context), void *context)
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0) return false;
	_Alignas(struct directory_entry) char entries[4096];
	long bytes;
	while ((bytes = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
		for (long offset = 0; offset < bytes;) {
			const struct directory_entry *entry = (const struct directory_entry *)(entries + offset);
			offset += entry->length;
			uint32_t number = (uint32_t)strtoul(entry->name, NULL, 10); // 0 for "." and ".."
			if (number != 0) visit(number, context);
		}
	}
	close(directory);
	return bytes == 0;
}

bool qs_tasks_visit(void (*visit)(uint32_t tid, void *context), void *context)
{
	return qs_numbers_visit("/proc/self/task", visit, context);
}
