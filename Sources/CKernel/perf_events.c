#define _GNU_SOURCE
#include "CKernel.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int event = -1;

bool qs_perf_events_arm(void)
{
	if (event >= 0) return true;
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	// For the calling thread, on any processor. Started programs do not inherit the descriptor.
	event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return event >= 0;
}
