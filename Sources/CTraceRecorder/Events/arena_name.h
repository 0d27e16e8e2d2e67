// The file in the trace directory that names the arena, for recovery after the process has ended.
#ifndef QS_ARENA_NAME_H
#define QS_ARENA_NAME_H

#include <stdbool.h>
#include <stddef.h>

// Name of that file. Hidden, because readers of CTF treat every other file as a data stream.
static inline const char *qs_arena_name_file(bool is_joined)
{
	return is_joined ? ".arena-of-library" : ".arena";
}

// Writes the id of the arena's shared memory segment, and the system that it is in, into the directory. -1: removes the
// file. Returns false with errno when that fails.
bool qs_arena_name_write(const char *directory, int memory_id, bool is_joined);

// Identifies the system that an arena is in, for a reader that does not find the arena
// (Sources/CTFReader/Repair/ArenaOrigin.swift): the boot, and the IPC namespace, in one line each.
enum { QS_ORIGIN_BYTES = 128 };
void qs_arena_origin_describe(char *text, size_t size);

#endif
