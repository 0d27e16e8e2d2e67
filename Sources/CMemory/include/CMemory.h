#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

// Enlarges an anonymous mapping without copying it: the kernel moves its pages if there is no room after it. Needed
// because `mremap` is variadic, so Swift cannot call it.
//
// Returns the new address of the mapping, or NULL when there is no memory; the mapping is then unchanged.
void *qs_grow_mapping(void *mapping, size_t bytes, size_t larger);

// Makes malloc reuse freed blocks of less than 1 MiB, up to 64 MiB in all. Arrays grow by moving to larger blocks. If
// every block came from the kernel and was returned to it, the kernel would zero every page again, which costs more
// than writing to it. Larger blocks are still returned: keeping them took 10 MiB more in a report of 200,000 queues.
// For the tool's own process, not for a traced one.
void qs_keep_freed_memory(void);

// Prefetches a row's cache lines for reading and writing. No other effect, for any address.
static inline void qs_prefetch(const void *row, size_t bytes) {
    for (size_t line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)row + line, 1);
}

// Prefetches cache lines for reading only.
static inline void qs_prefetch_for_reading(const void *place, size_t bytes) {
    for (size_t line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)place + line, 0);
}

#endif
