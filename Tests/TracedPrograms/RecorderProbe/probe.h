// Shared by the scenarios of the recorder's tests. Each scenario is a process of its own, because a session belongs to
// a process.
#ifndef PROBE_H
#define PROBE_H

#include <stdint.h>

// Starts a session in `directory` or ends the process with a message.
void probe_start(const char *directory, uint64_t limit);

// A random number generator with a given seed, whose numbers are the same on all machines.
uint64_t probe_random(uint64_t *state);

// Context switches of a thread of this process that waits.
long probe_voluntary_switches(int tid);

// Id of the recorder thread; 0 when there is none.
int probe_recorder_tid(void);

// Sleeps until the recorder thread makes long pauses and waits for the next event.
void probe_wait_until_quiet(void);

// Prints each writable shared mapping of the process and its backing: "tmpfs", "kernel" or "file-system".
void probe_print_mappings(void);

int probe_golden(int argc, char **argv);
int probe_random_events(int argc, char **argv);
int probe_producers(int argc, char **argv);
int probe_idle_threads(int argc, char **argv);
int probe_reclaim(int argc, char **argv);
int probe_ring(int argc, char **argv);
int probe_signals(int argc, char **argv);
int probe_stalled_definition(int argc, char **argv);
int probe_fork(int argc, char **argv);
int probe_fork_signals(int argc, char **argv);
int probe_exit(int argc, char **argv);
int probe_exit_signal(int argc, char **argv);
int probe_churn(int argc, char **argv);
int probe_late_destructors(int argc, char **argv);
int probe_allocations(int argc, char **argv);
int probe_strings(int argc, char **argv);
int probe_sessions(int argc, char **argv);
int probe_main_thread_sessions(int argc, char **argv);
int probe_main_thread_fork(int argc, char **argv);
int probe_change_user(int argc, char **argv);
int probe_change_limit(int argc, char **argv);
int probe_change_root(int argc, char **argv);
int probe_rotation(int argc, char **argv);
int probe_fewer_threads(int argc, char **argv);
int probe_without_lock(int argc, char **argv);
int probe_sandboxed_records(int argc, char **argv);
int probe_switches(int argc, char **argv);
int probe_switches_after_close(int argc, char **argv);
int probe_switches_of_fork(int argc, char **argv);
int probe_switches_until_killed(int argc, char **argv);
int probe_switches_forbidden(int argc, char **argv);
int probe_questions_forbidden(int argc, char **argv);
int probe_descriptors(int argc, char **argv);
int probe_switches_lost(int argc, char **argv);
int probe_switches_dear(int argc, char **argv);
int probe_quiet(int argc, char **argv);
int probe_main_thread_quiet(int argc, char **argv);
int probe_left_event(int argc, char **argv);
int probe_stalled_threads(int argc, char **argv);
int probe_first_absence(int argc, char **argv);
int probe_switch_budget(int argc, char **argv);
int probe_thread_cost(int argc, char **argv);
int probe_many_threads(int argc, char **argv);
int probe_mappings(int argc, char **argv);
int probe_store_latency(int argc, char **argv);
int probe_snapshot_end(int argc, char **argv);
int probe_snapshots(int argc, char **argv);
int probe_clock_steps(int argc, char **argv);
int probe_clock_sources(int argc, char **argv);
int probe_item_sampling(int argc, char **argv);
int probe_task_sampling(int argc, char **argv);
int probe_budget(int argc, char **argv);
int probe_processors(int argc, char **argv);
int probe_one_processor(int argc, char **argv);

#endif
