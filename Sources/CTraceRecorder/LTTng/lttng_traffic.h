// Events that were written for LTTng, counted so that the watch thread repeats the definitions before they are
// overwritten (lttng_watch.c), and the wake-up of that thread.
#ifndef QS_LTTNG_TRAFFIC_H
#define QS_LTTNG_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts the bytes of an event, and wakes the watch thread when as many were written as it waits for. Context: any
// thread, also a signal handler. Blocks: never.
void qs_lttng_traffic_note(size_t size);

// Bytes so far, in steps of 16 KiB per thread.
uint64_t qs_lttng_traffic_bytes(void);

// Starts a new count: at `due_bytes` the watch thread is woken.
void qs_lttng_traffic_begin(uint64_t due_bytes);

// Whether there were events since then, and whether the due bytes were reached.
bool qs_lttng_traffic_has_events(void);
bool qs_lttng_traffic_is_due(void);

// Wakes the watch thread. Context: any thread.
void qs_lttng_watch_wake(void);

// Number of wake-ups so far, and a sleep until it differs from `requests`, or until this time of CLOCK_MONOTONIC in
// nanoseconds. Context: the watch thread.
uint32_t qs_lttng_watch_requests(void);
void qs_lttng_watch_sleep(uint32_t requests, int64_t until_ns);

#endif
