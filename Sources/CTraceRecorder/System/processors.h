// Processors that this process may use.
#ifndef QS_PROCESSORS_H
#define QS_PROCESSORS_H

#include <stdint.h>

struct qs_processors {
	uint32_t online;      // of the machine; 0: unknown
	uint32_t allowed;     // by the main thread's affinity, which its cpuset limits; all online ones if unknown
	uint32_t quota_milli; // tightest CFS quota of its cgroups, in thousandths of a processor; 0: none, or unreadable
};

// Reads them. `root` is a prefix of every path that is opened; not "" only in tests. Context: any thread, not in a
// signal handler. Opens files of /proc and /sys; needs 12 KiB of stack.
struct qs_processors qs_processors_read(const char *root);

#endif
