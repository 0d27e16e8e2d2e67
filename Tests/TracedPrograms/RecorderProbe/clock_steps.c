// A counter that steps or changes its rate during a session, as after the migration of a virtual machine.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/clock.h"
#include "../../../Sources/CTraceRecorder/Observers/clock_watch.h"
#include "CTraceRecorder.h"
#include "probe.h"

static const int64_t FREQUENCY = 3000000000;

// The counter: its rate in tenths of a tick per nanosecond, from a given time and value on.
static struct {
	int64_t since_ns;
	int64_t ticks;
	int64_t tenths;
} line;
static uint32_t sequence; // odd while the line changes

static int64_t ticks_at(int64_t time_ns)
{
	return line.ticks + (time_ns - line.since_ns) * line.tenths / 10;
}

static uint64_t injected(void)
{
	for (;;) {
		uint32_t before = __atomic_load_n(&sequence, __ATOMIC_ACQUIRE);
		int64_t ticks = ticks_at(qs_clock_system(CLOCK_MONOTONIC));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (before % 2 == 0 && before == __atomic_load_n(&sequence, __ATOMIC_RELAXED)) return (uint64_t)ticks;
	}
}

static void change(int64_t step_ns, int64_t tenths)
{
	__atomic_fetch_add(&sequence, 1, __ATOMIC_ACQ_REL);
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	line.ticks = ticks_at(now_ns) + step_ns * 3;
	line.since_ns = now_ns;
	line.tenths = tenths;
	__atomic_fetch_add(&sequence, 1, __ATOMIC_RELEASE);
}

struct bounds {
	int64_t before_ns;
	int64_t after_ns;
};

// Records an event between two readings of the clock.
static struct bounds record(uint64_t number)
{
	struct bounds bounds = {.before_ns = qs_clock_system(CLOCK_MONOTONIC)};
	qs_record_item_end(number);
	bounds.after_ns = qs_clock_system(CLOCK_MONOTONIC);
	return bounds;
}

// Prints the bounds of the distance between two events. If the thread is preempted next to an event, the bounds are
// wider.
static void record_distance(uint64_t number)
{
	struct bounds first = record(number);
	usleep(20 * 1000);
	struct bounds second = record(number + 1);
	printf("least %lld most %lld\n", (long long)(second.before_ns - first.after_ns),
		(long long)(second.after_ns - first.before_ns));
}

int probe_clock_steps(int argc, char **argv)
{
	if (argc < 2) return 64;
	line.ticks = FREQUENCY * 100;
	line.since_ns = qs_clock_system(CLOCK_MONOTONIC);
	line.tenths = 30;
	qs_clock_injected = injected;
	qs_clock_injected_system = qs_clock_system;
	qs_gate.clock_kind = QS_CLOCK_INJECTED;
	probe_start(argv[0], 0);
	record_distance(1);
	// Wait for the first check, which determines the counter's rate.
	while (!qs_clock_watch_has_frequency()) usleep(1000);
	int64_t second = 1000000000;
	if (strcmp(argv[1], "forward") == 0) change(3600 * second, 30);
	else if (strcmp(argv[1], "backward") == 0) change(-40 * second, 30);
	else if (strcmp(argv[1], "faster") == 0) change(0, 36);
	else if (strcmp(argv[1], "slower") == 0) change(0, 24);
	else return 64;
	while (__atomic_load_n(&qs_gate.clock_kind, __ATOMIC_ACQUIRE) != QS_CLOCK_SCALED) usleep(1000);
	record_distance(3);
	qs_session_stop();
	return 0;
}

static void write_source(const char *directory, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = fopen(path, "w");
	if (file == NULL) abort();
	fprintf(file, "%s\n", name);
	fclose(file);
	printf("%s trusted %d\n", name, qs_clock_counter_is_trusted(path));
	unlink(path);
	printf("nothing trusted %d\n", qs_clock_counter_is_trusted(path));
}

int probe_clock_sources(int argc, char **argv)
{
	(void)argc;
	static const char *const names[] = {"tsc", "arch_sys_counter", "kvm-clock", "hpet", "tsc-early", "xen"};
	for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) write_source(argv[0], names[index]);
	return 0;
}
