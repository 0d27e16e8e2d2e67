// How much memory a recording may take of what its container, or service, may have.
#ifndef QS_MEMORY_LIMIT_H
#define QS_MEMORY_LIMIT_H

#include <stdint.h>

// The bytes that an arena may have: `wish`, or 64 MiB when that is 0, but no more than a sixteenth of what the
// process's cgroup may have. Opens files.
uint64_t qs_memory_limit(uint64_t wish);

// What is left of this many bytes of a file system in memory when the process's cgroup keeps a sixteenth of its limit
// for the program. Opens files.
uint64_t qs_memory_room(uint64_t bytes);

#endif
