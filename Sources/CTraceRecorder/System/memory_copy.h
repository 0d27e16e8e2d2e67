// Copies of memory that may not be mapped.
#ifndef QS_MEMORY_COPY_H
#define QS_MEMORY_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { QS_MOST_COPIED = 16 * 1024 };

// Copies at most QS_MOST_COPIED bytes of memory of this process, through the kernel, which checks the mappings. Returns
// the number of bytes up to the first page that is not mapped; -1 if the system forbids it, or the program has
// installed a system call filter since the recorder started. Takes a microsecond. Context: any.
ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes);

#endif
