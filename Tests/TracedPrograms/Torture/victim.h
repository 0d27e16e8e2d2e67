// A process that records with threads that note what they have finished, and what is done to it. Marker.c forks one for each fault.
#ifndef VICTIM_H
#define VICTIM_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_THREADS = 64 };

enum phase { PHASE_FORKED, PHASE_READY, PHASE_STOPPING, PHASE_STOPPED };

// What one victim is to do.
struct job {
	char directory[512];
	char fault[32];      // what happens to it while it records; "" for nothing
	uint64_t seed;
	uint64_t memory;     // of the arena, 0: as usual
	uint64_t limit;      // of the trace, 0: none
	int threads;
	int events;          // that each thread writes, 0: until it ends
	int bytes;           // the longest message of an event
	int pause;           // turns of an empty loop between two events, at most
	int phase;           // enum phase from which on the delay counts
	int delay_us;        // until it is killed
	int fault_us;        // from ready until the fault
	bool is_killed;
	bool is_early;       // the fault comes before the session
};

// Memory that outlives the victim.
struct progress {
	int phase; // atomic
	int start_error;
	uint64_t measures[8];
	struct {
		_Alignas(64) uint64_t finished; // atomic: events with the numbers 1…n were written
		uint64_t tid;
	} slots[MOST_THREADS];
};

// Context: the forked victim. Does not return.
_Noreturn void victim_run(const struct job *job, struct progress *progress);

// What is done from outside.
void disturb(const struct job *job);

// Checks the files of a complete trace against what was finished; prints a line. Context: the server.
void trace_check(const char *directory, const uint64_t *finished, int threads);

// A generator of random numbers.
uint64_t next_random(uint64_t *state);

#endif
