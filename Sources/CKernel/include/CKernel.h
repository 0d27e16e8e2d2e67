#ifndef CKERNEL_H
#define CKERNEL_H

#include <stdbool.h>

// Opens an event of this process that counts nothing, and keeps it open until the process ends. While any process has
// an event, the kernel checks for events at every context switch. For the first event of a machine it patches its
// scheduler and waits for all processors, which blocks perf_event_open for some 10 to 20 ms. Programs that are started
// after this call do not have to wait for that.
//
// Returns false when the kernel refuses, as in many containers. It then refuses the events of the programs too, which
// therefore do not wait. Further calls do nothing. Linux only.
bool qs_perf_events_arm(void);

// Whether the file system of this file supports hole punching, which a flight recorder needs. Returns false only if the
// kernel reports that it does not. The file must be open for writing, and empty.
bool qs_can_make_holes(int file);

#endif
