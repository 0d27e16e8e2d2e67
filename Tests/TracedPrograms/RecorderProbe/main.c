#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "CTraceRecorder.h"
#include "probe.h"

static const struct {
	const char *name;
	const char *arguments;
	int (*run)(int argc, char **argv);
} scenarios[] = {
	{"golden", "DIR", probe_golden},
	{"random", "DIR SEED COUNT", probe_random_events},
	{"producers", "DIR THREADS EVENTS LIMIT", probe_producers},
	{"idle-threads", "DIR THREADS MEMORY [watched]", probe_idle_threads},
	{"reclaim", "DIR", probe_reclaim},
	{"ring", "DIR THREADS EVENTS MEMORY [starved]", probe_ring},
	{"signals", "DIR EVENTS", probe_signals},
	{"stalled-definition", "DIR", probe_stalled_definition},
	{"fork", "DIR", probe_fork},
	{"fork-signals", "DIR COUNT", probe_fork_signals},
	{"exit", "DIR EVENTS", probe_exit},
	{"exit-signal", "DIR", probe_exit_signal},
	{"churn", "DIR THREADS AT-ONCE", probe_churn},
	{"late-destructors", "DIR THREADS", probe_late_destructors},
	{"allocations", "DIR EVENTS", probe_allocations},
	{"strings", "DIR", probe_strings},
	{"sessions", "DIR COUNT", probe_sessions},
	{"main-thread-sessions", "DIR PAUSE-MS", probe_main_thread_sessions},
	{"main-thread-fork", "DIR", probe_main_thread_fork},
	{"change-user", "DIR", probe_change_user},
	{"change-limit", "DIR", probe_change_limit},
	{"change-root", "DIR ROOT", probe_change_root},
	{"rotation", "DIR COUNT", probe_rotation},
	{"fewer-threads", "DIR", probe_fewer_threads},
	{"without-lock", "DIR", probe_without_lock},
	{"sandboxed-records", "DIR", probe_sandboxed_records},
	{"switches", "DIR threads-first|threads-last|threads-quiet ROUNDS", probe_switches},
	{"switches-after-close", "DIR ROUNDS", probe_switches_after_close},
	{"switches-of-fork", "DIR ROUNDS", probe_switches_of_fork},
	{"switches-until-killed", "DIR", probe_switches_until_killed},
	{"switches-forbidden", "DIR ROUNDS", probe_switches_forbidden},
	{"questions-forbidden", "DIR", probe_questions_forbidden},
	{"descriptors", "DIR", probe_descriptors},
	{"switches-lost", "DIR ROUNDS", probe_switches_lost},
	{"switches-dear", "DIR ROUNDS", probe_switches_dear},
	{"quiet", "DIR SECONDS", probe_quiet},
	{"main-thread-quiet", "DIR SECONDS", probe_main_thread_quiet},
	{"left-event", "DIR", probe_left_event},
	{"stalled-threads", "DIR", probe_stalled_threads},
	{"first-absence", "DIR", probe_first_absence},
	{"switch-budget", "ALLOWED QUOTA", probe_switch_budget},
	{"thread-cost", "DIR THREADS", probe_thread_cost},
	{"many-threads", "DIR THREADS", probe_many_threads},
	{"mappings", "DIR", probe_mappings},
	{"store-latency", "DIR EVENTS", probe_store_latency},
	{"snapshot-end", "DIR stream|flight", probe_snapshot_end},
	{"snapshots", "DIR THREADS COUNT stream|flight", probe_snapshots},
	{"clock-steps", "DIR forward|backward|faster|slower", probe_clock_steps},
	{"clock-sources", "DIR", probe_clock_sources},
	{"item-sampling", "DIR THREADS ITEMS STRIDE", probe_item_sampling},
	{"task-sampling", "DIR STRIDE TASKS", probe_task_sampling},
	{"budget", "PPM PROCESS-MS OTHER-MS ITEMS-MS…", probe_budget},
	{"processors", "ROOT", probe_processors},
	{"one-processor", "DIR", probe_one_processor},
};

void probe_start(const char *directory, uint64_t limit)
{
	struct qs_session_options options = {.limit = limit};
	int system_error = 0;
	int result = qs_session_start(directory, &options, &system_error);
	if (result == QS_SESSION_OK) return;
	fprintf(stderr, "cannot start a session in %s: error %d, %s\n", directory, result, strerror(system_error));
	exit(3);
}

uint64_t probe_random(uint64_t *state)
{
	uint64_t value = (*state += 0x9E3779B97F4A7C15u);
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return value ^ (value >> 31);
}

// Ends a scenario that hangs by SIGKILL after 60 s of processor time, or 10 minutes on a busy machine.
static void limit_time(void)
{
	struct rlimit seconds = {.rlim_cur = 60, .rlim_max = 60};
	setrlimit(RLIMIT_CPU, &seconds);
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	struct itimerspec latest = {.it_value = {.tv_sec = 600}};
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &latest, NULL);
}

int main(int argc, char **argv)
{
	limit_time();
	for (size_t index = 0; argc >= 3 && index < sizeof scenarios / sizeof scenarios[0]; index++) {
		if (strcmp(argv[1], scenarios[index].name) == 0) return scenarios[index].run(argc - 2, argv + 2);
	}
	for (size_t index = 0; index < sizeof scenarios / sizeof scenarios[0]; index++) {
		fprintf(stderr, "usage: RecorderProbe %s %s\n", scenarios[index].name, scenarios[index].arguments);
	}
	return 64;
}
