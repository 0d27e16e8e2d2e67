// A recording process whose threads note their finished events, and the faults for it. marker.c forks one per fault.
#ifndef VICTIM_H
#define VICTIM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { MOST_THREADS = 64 };

enum phase { PHASE_FORKED, PHASE_READY, PHASE_STOPPING, PHASE_STOPPED };

// How a victim ends by itself, after the delay.
enum crash { CRASH_NONE, CRASH_SEGMENTATION, CRASH_ABORT, CRASH_TRAP, CRASH_OUT_OF_MEMORY };

// The description of one victim.
struct job {
	char directory[512];
	char fault[32];      // the fault during the recording; "" for none
	uint64_t seed;
	uint64_t memory;     // size of the arena, 0: default
	uint64_t limit;      // limit of the trace, 0: none
	int threads;
	int events;          // number of events of each thread, 0: until the end
	int bytes;           // maximum length of an event's message
	int pause;           // maximum number of empty loop iterations between two events
	int phase;           // enum phase at which the delay starts
	int delay_us;        // time until the victim is killed, or crashes
	int fault_us;        // time from PHASE_READY to the fault
	int crash;           // enum crash
	int window_ms;       // a flight recorder in memory with this window; 0: a stream
	bool is_killed;
	bool is_early;       // the fault precedes the session
};

// Shared memory that outlives the victim.
struct progress {
	int phase; // atomic
	int start_error;
	uint64_t measures[8];
	struct {
		_Alignas(64) uint64_t finished; // atomic: the events 1…n are written
		uint64_t tid;
	} slots[MOST_THREADS];
};

// Context: the forked victim. Does not return.
_Noreturn void victim_run(const struct job *job, struct progress *progress);

// Causes the faults from outside.
void disturb(const struct job *job, pid_t victim);

// Removes the control group of a victim that has ended by CRASH_OUT_OF_MEMORY.
void remove_group(pid_t victim);

// Checks the files of a complete trace against the finished events, and prints one line. With a window, only the events
// after the newest overwritten event are required, and they must be as long as the window. Context: the server process.
void trace_check(const char *directory, int window_ms, const uint64_t *finished, int threads);

// A generator of random numbers.
uint64_t next_random(uint64_t *state);

#endif
