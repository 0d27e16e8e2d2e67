#define _GNU_SOURCE
#include "directory_entries.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Format of getdents64.
struct directory_entry {
	uint64_t inode;
	int64_t next;
	uint16_t length;
	uint8_t type;
	char name[];
};

bool qs_directory_visit(int directory, void (*visit)(const char *name, void *context), void *context)
{
	if (lseek(directory, 0, SEEK_SET) != 0) return false;
	_Alignas(struct directory_entry) char entries[4096];
	long bytes;
	while ((bytes = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
		for (long offset = 0; offset < bytes;) {
			const struct directory_entry *entry = (const struct directory_entry *)(entries + offset);
			offset += entry->length;
			visit(entry->name, context);
		}
	}
	return bytes == 0;
}
