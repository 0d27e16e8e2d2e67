// Samples of blocked threads: the place where they wait (blocked_calls.h), when they have been blocked for
// QS_BLOCKED_SAMPLE_AFTER_NS. A token bucket limits them to 250 per second, with bursts of the same number.
#ifndef QS_BLOCKED_SAMPLER_H
#define QS_BLOCKED_SAMPLER_H

#include "observer.h"

// The samples as an observer. It follows the processor track in the table of observers, because it samples the threads
// that are blocked after a reading of the switches (switch_reader.h), which is also the time of its events. Without
// switches there are no samples. Its stop reads the switches and takes the last samples, before the track ends.
extern const struct qs_observer qs_blocked_observer;

#endif
