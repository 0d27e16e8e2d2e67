#include "recording_budget.h"

#include <string.h>
#include <unistd.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/item_sampling.h"
#include "../Gate/thread_guard.h"
#include "switch_budget.h"
#include "switch_reader.h"

enum {
	// The first measurement, so that a busy start does not exceed the budget for a second.
	FIRST_PERIOD_NS = 100 * 1000 * 1000,
	// Periods with less processor time than this are added to the next one: the clocks and the events of a short time
	// vary too much.
	LEAST_PROCESS_NS = 20 * 1000 * 1000,
	// An idle recorder thread wakes once a second. In a process that does nearly nothing this exceeds every share, and
	// sampling would not change it. So the recorder always has a thousandth of one processor.
	LEAST_BUDGET_PARTS = 1000,
	MOST_DOUBLINGS = 4, // in one period
	// Items below this part of the budget are few: twice their cost does not matter.
	FEW_ITEMS_PARTS = 16,
	CALM_PERIODS = 3,
	// A hook takes more time than the writer: look-ups of code and queues, copies of blocks, and cache misses, which
	// the calibration does not have. Under `Tools/throughput`, an event of a server takes 90 to 100 ns, and 15 ns in
	// the calibration. A loop of empty syncs takes less (Costs.md), and is then sampled more than necessary.
	HOOK_FACTOR = 6,
	// A recorded item has a submission, a begin and an end; a sync has two events.
	EVENTS_OF_ITEM = 3,
	// A step of a task has one event (an enqueue), two (a run: begin and suspension) or three (a job).
	EVENTS_OF_TASK_STEP = 2,
	CALIBRATION_EVENTS = 64, // they fit into the calibration's packet
	CALIBRATION_ROUNDS = 16,
	// The price before the calibration.
	USUAL_EVENT_NS = 90,
};

// Totals since the start of the session.
struct totals {
	int64_t time_ns;   // CLOCK_MONOTONIC
	int64_t process_ns;
	int64_t recorder_ns;
	uint64_t events;   // of the program's threads
	uint64_t sampled;  // of these, events of items and tasks that were recorded while the session sampled; estimated
	uint64_t switches; // records of the kernel
};

static struct {
	bool is_on;                // atomic
	bool has_started;          // atomic: the first rate is in the trace
	bool is_calibrated;
	int64_t due_ns;
	uint32_t recorder_tid;
	int64_t event_ns_by_1024;  // price of an event, in 1/1024 ns
	struct totals first;       // at the start of the session
	struct totals last;        // at the end of the last period
	struct totals changed;     // at the last change of the rate
	struct qs_budget_control control;
} budget;

// MARK: Decisions

static int64_t share_of(int64_t time_ns, uint32_t ppm)
{
	return time_ns / QS_BUDGET_WHOLE * ppm + time_ns % QS_BUDGET_WHOLE * ppm / QS_BUDGET_WHOLE;
}

uint32_t qs_budget_cost_ppm(const struct qs_budget_usage *usage)
{
	if (usage->process_ns <= 0) return 0;
	int64_t cost_ns = usage->items_ns + usage->other_ns;
	if (cost_ns <= 0) return 0;
	double ppm = (double)cost_ns * QS_BUDGET_WHOLE / (double)usage->process_ns;
	return ppm > UINT32_MAX ? UINT32_MAX : (uint32_t)ppm;
}

uint32_t qs_budget_next_stride(struct qs_budget_control *control, const struct qs_budget_usage *usage)
{
	int64_t allowed_ns = share_of(usage->process_ns, control->ppm);
	if (allowed_ns < usage->length_ns / LEAST_BUDGET_PARTS) allowed_ns = usage->length_ns / LEAST_BUDGET_PARTS;
	int64_t cost_ns = usage->items_ns + usage->other_ns;
	bool is_over = cost_ns > allowed_ns;
	// Fewer items would not reduce the cost.
	bool are_items_few = usage->items_ns * FEW_ITEMS_PARTS < allowed_ns;
	if (is_over && !are_items_few) {
		control->calm = 0;
		// Costs that do not depend on the stride leave at least a quarter of the budget to the items.
		int64_t for_items_ns = allowed_ns - usage->other_ns;
		if (for_items_ns < allowed_ns / 4) for_items_ns = allowed_ns / 4;
		int64_t items_ns = usage->items_ns;
		for (int doubling = 0; doubling < MOST_DOUBLINGS && items_ns > for_items_ns; doubling++) {
			if (control->stride >= QS_MOST_ITEM_STRIDE) break;
			control->stride *= 2;
			items_ns /= 2;
		}
	} else if (are_items_few || cost_ns * 5 < allowed_ns * 2) {
		// With a stride of 1 the cost of the items is not known apart.
		uint32_t least = is_over ? 2 : 1;
		if (++control->calm < CALM_PERIODS || control->stride <= least) return control->stride;
		control->calm = 0;
		control->stride /= 2;
	} else {
		control->calm = 0;
	}
	return control->stride;
}

// MARK: Measurement

// The clock of the processor time of a thread of this process. See clock_getcpuclockid(3) and the kernel's
// posix-timers.h: the complement of the id, and the bits for a thread's clock of the scheduler.
static clockid_t clock_of_thread(uint32_t tid)
{
	enum { OF_A_THREAD = 4, OF_THE_SCHEDULER = 2 };
	return (clockid_t)(~tid << 3 | OF_A_THREAD | OF_THE_SCHEDULER);
}

static struct totals measure(void)
{
	struct qs_sampling_totals sampled = qs_item_sampling_totals();
	return (struct totals){
		.time_ns = qs_clock_system(CLOCK_MONOTONIC),
		.process_ns = qs_clock_system(CLOCK_PROCESS_CPUTIME_ID),
		.recorder_ns = qs_clock_system(clock_of_thread(budget.recorder_tid)),
		.events = qs_streams_events(QS_STREAM_THREAD),
		.sampled = sampled.strata * EVENTS_OF_ITEM + sampled.task_steps * EVENTS_OF_TASK_STEP,
		.switches = qs_streams_events(QS_STREAM_KERNEL),
	};
}

// `is_sampled`: the session sampled items the whole time. Otherwise all events count as events of items.
static struct qs_budget_usage usage_between(const struct totals *first, const struct totals *last, bool is_sampled)
{
	// The number of events can decrease between two inexact counts.
	int64_t events = (int64_t)(last->events - first->events), switches = (int64_t)(last->switches - first->switches);
	if (events < 0) events = 0;
	int64_t of_items = is_sampled ? (int64_t)(last->sampled - first->sampled) : events;
	if (of_items > events) of_items = events;
	int64_t events_ns = events * budget.event_ns_by_1024 / 1024, recorder_ns = last->recorder_ns - first->recorder_ns;
	// The recorder thread copies events, which takes less time than they took the program's threads. The rest of its
	// time does not depend on the stride.
	int64_t copying_ns = recorder_ns < events_ns ? recorder_ns : events_ns;
	int64_t items_ns = 0;
	if (events > 0) items_ns = (int64_t)((double)(events_ns + copying_ns) * (double)of_items / (double)events);
	return (struct qs_budget_usage){
		.length_ns = last->time_ns - first->time_ns,
		.process_ns = last->process_ns - first->process_ns,
		.items_ns = items_ns,
		.other_ns = events_ns + recorder_ns - items_ns + (switches > 0 ? switches * qs_switch_record_cost_ns : 0),
	};
}

// Measures the price of an event: writes events into a packet that belongs to no trace.
static int64_t calibrate(void)
{
	enum { EVENT_BYTES = QS_COMPACT_HEADER + 6 };
	_Alignas(8) unsigned char memory[QS_PACKET_HEAD + CALIBRATION_EVENTS * EVENT_BYTES + QS_STORE_SLACK] = {0};
	struct qs_packet *packet = (struct qs_packet *)memory;
	struct qs_stream stream = {
		.limit = memory + sizeof memory - QS_STORE_SLACK, .packet = packet, .epoch = qs_identity.epoch};
	struct qs_stream *own = qs_thread_stream;
	qs_thread_stream = &stream;
	int64_t least_ns = INT64_MAX;
	for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
		stream.last_time = qs_clock_now();
		stream.cursor = packet->events;
		int64_t begin_ns = qs_clock_system(CLOCK_MONOTONIC);
		for (int event = 0; event < CALIBRATION_EVENTS && qs_gate_has(stream.epoch); event++) {
			qs_record_callout_begin((uint64_t)event);
		}
		int64_t round_ns = qs_clock_system(CLOCK_MONOTONIC) - begin_ns;
		if (round_ns < least_ns) least_ns = round_ns;
	}
	qs_thread_stream = own;
	return least_ns * HOOK_FACTOR * 1024 / CALIBRATION_EVENTS;
}

// MARK: The observer

static void record(enum qs_sampling_cause cause, const struct qs_budget_usage *usage)
{
	bool was_inside = qs_thread_inside;
	qs_thread_inside = false;
	qs_record_sampling_rate(qs_item_sampling_stride(), (uint8_t)cause, qs_identity.budget_ppm,
		usage != NULL ? qs_budget_cost_ppm(usage) : 0);
	qs_thread_inside = was_inside;
}

static void start(uint32_t starter_tid)
{
	(void)starter_tid;
	memset(&budget, 0, sizeof budget);
	if (qs_identity.budget_ppm == 0 && qs_item_sampling_stride() == 1) return;
	budget.recorder_tid = qs_current_tid();
	budget.event_ns_by_1024 = USUAL_EVENT_NS * 1024;
	budget.control = (struct qs_budget_control){.ppm = qs_identity.budget_ppm, .stride = qs_item_sampling_stride()};
	budget.first = budget.last = budget.changed = measure();
	budget.due_ns = qs_clock_system(CLOCK_MONOTONIC) + FIRST_PERIOD_NS;
	__atomic_store_n(&budget.is_on, true, __ATOMIC_RELEASE);
}

// Ends a period: decides about the stride, and limits the processor track to half of the budget.
static void end_period(const struct totals *now)
{
	struct qs_budget_usage usage = usage_between(&budget.last, now, budget.control.stride > 1);
	if (usage.process_ns < LEAST_PROCESS_NS) return;
	budget.last = *now;
	int64_t for_switches_ns = share_of(usage.process_ns, qs_identity.budget_ppm / 2);
	if (usage.length_ns > 0) qs_switch_reader_limit(for_switches_ns * QS_BUDGET_WHOLE / usage.length_ns);
	uint32_t former = budget.control.stride;
	uint32_t stride = qs_budget_next_stride(&budget.control, &usage);
	if (stride == former) return;
	usage = usage_between(&budget.changed, now, false);
	budget.changed = *now;
	qs_item_sampling_set(stride);
	record(stride > former ? qs_sampling_cause_over_budget : qs_sampling_cause_within_budget, &usage);
}

static int64_t tick(int64_t now_ns)
{
	if (!budget.is_on || qs_identity.budget_ppm == 0) return INT64_MAX;
	if (!qs_is_recording()) return INT64_MAX;
	if (now_ns < budget.due_ns) return budget.due_ns;
	// A change of the rate must follow its first value in the trace.
	if (!__atomic_load_n(&budget.has_started, __ATOMIC_ACQUIRE)) return budget.due_ns = now_ns + FIRST_PERIOD_NS;
	if (!budget.is_calibrated) budget.event_ns_by_1024 = calibrate();
	budget.is_calibrated = true;
	struct totals now = measure();
	end_period(&now);
	budget.due_ns = qs_clock_next_second(now_ns, qs_identity.started.monotonic_ns);
	return budget.due_ns;
}

static void define(void)
{
	if (!__atomic_load_n(&budget.is_on, __ATOMIC_ACQUIRE)) return;
	bool has_started = __atomic_load_n(&budget.has_started, __ATOMIC_RELAXED);
	record(has_started ? qs_sampling_cause_repeated : qs_sampling_cause_started, NULL);
	__atomic_store_n(&budget.has_started, true, __ATOMIC_RELEASE);
}

void qs_budget_record_stop(void)
{
	// The clocks of processor time are system calls.
	if (qs_thread_is_sandboxed || !__atomic_load_n(&budget.is_on, __ATOMIC_ACQUIRE)) return;
	struct totals now = measure();
	struct qs_budget_usage usage = usage_between(&budget.first, &now, false);
	record(qs_sampling_cause_stopped, &usage);
}

static void forget(void)
{
	__atomic_store_n(&budget.is_on, false, __ATOMIC_RELAXED);
}

const struct qs_observer qs_budget_observer = {.start = start, .tick = tick, .define = define, .forget = forget};
