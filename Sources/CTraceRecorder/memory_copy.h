// Copies of memory that may not be there.
#ifndef QS_MEMORY_COPY_H
#define QS_MEMORY_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { QS_MOST_COPIED = 16 * 1024 };

// Copies memory of this process, QS_MOST_COPIED bytes at most, by way of the kernel, which knows whether it is there.
// Returns how many bytes are there, from the first on; -1 where the system forbids it, or the program has put a filter
// on system calls since the recorder began. A microsecond. Context: any.
ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes);

#endif
