// Isolated deinitializers. The runtime calls one at once, or enqueues a job on the executor that calls it. Neither is a
// task, so no ThreadSanitizer function reports it. The hook passes the runtime another function to call:
//
//	swift_task_deinitOnExecutor   task_create, task_enqueue
//	run_deinit                    task_begin ── the deinitializer ── task_finish
//
// In the trace a deinitializer is a task that starts immediately, with a number above all numbers of tasks. One that
// the current task runs on its own executor is a part of this task.
#include <string.h>

#include "tasks.h"

struct deinit {
	qs_deinit_t work;
	uintptr_t executor;
	uint64_t number;
	uint32_t session;
};

// The deinitializers that have not begun, by object. An object has at most one.
enum { PLACES = 1 << 10, PROBES = 16, NAME_LENGTH = 128 };

static struct place {
	uintptr_t object;  // 0: free; CLAIMED: being filled
	struct deinit deinit;
} places[PLACES];

static const uintptr_t CLAIMED = 1;

// The first number. The numbers of the runtime's tasks count from 1.
static uint64_t next_number = 1ull << 40;

static struct place *place_at(const void *object, uint32_t probe)
{
	uint32_t home = (uint32_t)((uintptr_t)object >> 4) * 0x9E3779B1u >> 22;
	return &places[(home + probe) % PLACES];
}

// Returns whether there was a free place.
static bool keep(const void *object, struct deinit deinit)
{
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		struct place *place = place_at(object, probe);
		uintptr_t found = 0;
		if (!__atomic_compare_exchange_n(&place->object, &found, CLAIMED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
			continue;
		}
		place->deinit = deinit;
		// Pairs with the load in take.
		__atomic_store_n(&place->object, (uintptr_t)object, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

// Returns false when no place has the object. The runtime calls run_deinit only for objects that were kept, once, so
// the program has overwritten the place.
static bool take(const void *object, struct deinit *deinit)
{
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		struct place *place = place_at(object, probe);
		if (__atomic_load_n(&place->object, __ATOMIC_ACQUIRE) != (uintptr_t)object) continue;
		*deinit = place->deinit;
		__atomic_store_n(&place->object, 0, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

// The session may have ended, or another one may have begun, since the hook.
static bool is_recorded(const struct deinit *deinit)
{
	return qs_tasks_are_followed() && deinit->session == qs_session_number();
}

static QS_SWIFT QS_RUNNER void run_deinit(void *object)
{
	struct deinit deinit;
	if (!take(object, &deinit)) return; // the object is not freed
	if (is_recorded(&deinit)) qs_task_push_job(deinit.number, deinit.executor);
	deinit.work(object);
	if (is_recorded(&deinit)) qs_task_pop_job(deinit.number);
}

static void record_creation(const void *object, const struct deinit *deinit)
{
	static const char prefix[] = "deinit of ";
	uint64_t parent = qs_task_id(qs_current_task());
	uint32_t code = qs_code_address((uintptr_t)deinit->work, 0);
	qs_record_task_create(deinit->number, qs_task_kind_immediate, 0, parent, 0, code);
	struct qs_type_name type = qs_type_name_of((uintptr_t)object);
	if (type.text != NULL) {
		char name[NAME_LENGTH];
		size_t room = sizeof name - (sizeof prefix - 1);
		size_t length = type.length < room ? type.length : room;
		memcpy(name, prefix, sizeof prefix - 1);
		memcpy(name + sizeof prefix - 1, type.text, length);
		qs_record_task_name(deinit->number, name, sizeof prefix - 1 + length);
	}
	qs_record_task_enqueue(deinit->number, deinit->executor, 0);
}

// Returns the function for the runtime to call.
static __attribute__((noinline)) qs_deinit_t followed(const void *object, qs_deinit_t work, struct qs_executor executor)
{
	const struct qs_task_frame *frame = qs_task_innermost(qs_task_thread_known());
	if (frame != NULL && frame->executor == executor.identity) return work;
	struct deinit deinit = {
		.work = work,
		.executor = executor.identity,
		.number = __atomic_fetch_add(&next_number, 1, __ATOMIC_RELAXED),
		.session = qs_session_number(),
	};
	if (qs_skips_task(deinit.number) || !keep(object, deinit)) return work;
	qs_executor_define(executor);
	record_creation(object, &deinit);
	return run_deinit;
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_task_deinitOnExecutor,
	(void *object, qs_deinit_t work, uintptr_t identity, uintptr_t implementation, uintptr_t flags))
{
	if (qs_tasks_are_followed() && identity != 0) {
		work = followed(object, work, (struct qs_executor){identity, implementation});
	}
	swift_original(swift_task_deinitOnExecutor)(object, work, identity, implementation, flags);
}
