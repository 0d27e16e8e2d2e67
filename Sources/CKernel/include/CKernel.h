#ifndef CKERNEL_H
#define CKERNEL_H

#include <stdbool.h>

// Opens an event of this process that counts nothing, and keeps it until the process ends: as long as any process has
// one, the kernel looks for events at every context switch. The first of a machine makes it patch its scheduler and wait
// until all processors have seen that, some 10 to 20 ms in which perf_event_open does not return. The programs that are
// started after this call need not wait for that.
//
// Returns false when the kernel refuses, as in many containers; then it refuses others too, and they lose no time.
// Further calls do nothing. Linux only, as all of this package.
bool qs_perf_events_arm(void);

// Whether the file system that this file is on can give back the room of a part of a file, as a flight recorder needs
// it. Only what is known not to work is false. The file must be open for writing, and empty.
bool qs_can_make_holes(int file);

#endif
