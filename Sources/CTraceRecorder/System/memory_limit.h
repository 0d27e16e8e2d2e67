// Share of the memory of a container, or service, that a recording may use.
#ifndef QS_MEMORY_LIMIT_H
#define QS_MEMORY_LIMIT_H

#include <stdint.h>

enum { QS_USUAL_MEMORY = 64 * 1024 * 1024 };

// Size of an arena in bytes: `wish`, or QS_USUAL_MEMORY when that is 0, but at most a sixteenth of the memory limit of
// the process's cgroup. Opens files.
uint64_t qs_memory_limit(uint64_t wish);

// Bytes of a tmpfs that may be used, of `bytes` that are free, so that the process's cgroup keeps a sixteenth of its
// limit for the program. Opens files.
uint64_t qs_memory_room(uint64_t bytes);

#endif
