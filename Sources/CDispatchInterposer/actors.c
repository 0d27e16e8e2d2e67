// Actors and other serial executors of Swift Concurrency.
//
//	swift_task_switch     remembers which executor the task wants, and where it goes on
//	acquire(actor)        task_switch: it was free
//	release(actor)        task_switch to the global executor
//	else                  task_suspend, task_enqueue … task_begin: see tasks.c
#include "tasks.h"

enum { EXECUTORS = 1 << 14, PROBES = 8, SESSION_SHIFT = 48 };

// Executors that a session's trace has a definition of: address and session in one word. A full neighbourhood counts as
// known, so that the trace is not filled with definitions.
static uint64_t known_executors[EXECUTORS];

static uint64_t entry_of(uintptr_t identity, uint32_t session)
{
	return (uint64_t)session << SESSION_SHIFT | identity;
}

// Whether it was not known.
static bool note(uintptr_t identity, uint32_t session)
{
	uint64_t entry = entry_of(identity, session);
	uint32_t home = (uint32_t)(identity >> 4) * 0x9E3779B1u;
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		uint64_t *slot = &known_executors[((home >> 18) + probe) % EXECUTORS];
		uint64_t found = __atomic_load_n(slot, __ATOMIC_RELAXED);
		if (found == entry) return false;
		// Of an earlier session, or free.
		if (found != 0 && found >> SESSION_SHIFT == (session & 0xFFFF)) continue;
		if (__atomic_compare_exchange_n(slot, &found, entry, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return true;
		if (found == entry) return false;
	}
	return false;
}

static void forget(uintptr_t identity, uint32_t session)
{
	uint64_t entry = entry_of(identity, session);
	uint32_t home = (uint32_t)(identity >> 4) * 0x9E3779B1u;
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		uint64_t *slot = &known_executors[((home >> 18) + probe) % EXECUTORS];
		uint64_t found = entry;
		__atomic_compare_exchange_n(slot, &found, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

// The name of an object's type, as a number. The runtime makes the text once for each type.
static uint32_t type_of(uintptr_t object)
{
	const void *type = *(const void *const *)object;
	if (qs_swift_runtime.type_name == NULL || type == NULL) return 0;
	struct qs_type_name name = qs_swift_runtime.type_name(type, true);
	return name.text != NULL ? qs_code_named(name.text, name.length, "", 0, 0) : 0;
}

void qs_executor_meet(struct qs_executor executor)
{
	if (!note(executor.identity, qs_definitions_number())) return;
	qs_record_executor_state(executor.identity, type_of(executor.identity),
		executor.implementation == 0 ? qs_executor_kind_actor : qs_executor_kind_serial_executor);
}

static __attribute__((noinline)) void note_switch(qs_resume_t resume, struct qs_executor executor)
{
	if (executor.identity != 0) qs_executor_meet(executor);
	qs_task_thread.wanted = executor.identity;
	qs_task_thread.wanted_resume = (uintptr_t)resume;
}

QS_SWIFT_HOOK(QS_ASYNC void, swift_task_switch,
	(QS_ASYNC_CONTEXT void *context, qs_resume_t resume, uintptr_t identity, uintptr_t implementation))
{
	if (qs_is_recording()) note_switch(resume, (struct qs_executor){identity, implementation});
	QS_SWIFT_TAIL swift_original(swift_task_switch)(context, resume, identity, implementation);
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_defaultActor_initialize, (void *actor))
{
	if (qs_is_recording() && qs_task_detail != qs_task_detail_none) {
		note((uintptr_t)actor, qs_definitions_number());
		qs_record_actor_create((uint64_t)(uintptr_t)actor, type_of((uintptr_t)actor));
	}
	swift_original(swift_defaultActor_initialize)(actor);
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_defaultActor_destroy, (void *actor))
{
	if (qs_is_recording() && qs_task_detail != qs_task_detail_none) {
		forget((uintptr_t)actor, qs_definitions_number());
		qs_record_actor_destroy((uint64_t)(uintptr_t)actor);
	}
	swift_original(swift_defaultActor_destroy)(actor);
}
