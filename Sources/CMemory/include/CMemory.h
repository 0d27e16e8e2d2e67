#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

// Makes an anonymous mapping larger without copying it: the kernel moves its pages where there is no room behind it.
// `mremap` takes a variable number of arguments, so Swift cannot call it.
//
// Returns where the mapping is now, NULL when there is no memory; then it is as it was.
void *qs_grow_mapping(void *mapping, size_t bytes, size_t larger);

// Lets malloc reuse freed blocks of less than 1 MiB, up to 64 MiB in all. Arrays grow by moving to larger blocks. If
// each came from the kernel and went back to it, every page would be zeroed anew, which costs more than writing to it.
// Larger blocks still go back: to keep them took 10 MiB more in a report of 200,000 queues. For a process of the tool's
// own, not for a traced one.
void qs_keep_freed_memory(void);

// Asks for a row's cache lines, which will be read and written soon. Does nothing else, whatever the address.
static inline void qs_prefetch(const void *row, size_t bytes) {
    for (size_t line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)row + line, 1);
}

// The same for lines that will be read and not written.
static inline void qs_prefetch_for_reading(const void *place, size_t bytes) {
    for (size_t line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)place + line, 0);
}

#endif
