// The processors that this process may use.
#ifndef QS_PROCESSORS_H
#define QS_PROCESSORS_H

#include <stdint.h>

struct qs_processors {
	uint32_t online;      // of the machine; 0: unknown
	uint32_t allowed;     // by the main thread's affinity, which its cpuset narrows; all online where it is unknown
	uint32_t quota_milli; // tightest CFS quota of its cgroups, in thousandths of a processor; 0: none, or unreadable
};

// Reads them. `root` stands before every path that is opened: "" but for tests.
// Context: any thread, no signal handler. Opens files of /proc and /sys; needs 12 KiB of stack.
struct qs_processors qs_processors_read(const char *root);

#endif
