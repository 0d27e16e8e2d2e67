// Actors and other serial executors of Swift Concurrency.
//
//	swift_task_switch     stores the requested executor and the resume function
//	acquire(actor)        task_switch: the actor was free
//	release(actor)        task_switch to the global executor
//	otherwise             task_suspend, task_enqueue … task_begin: see tasks.c
#include "tasks.h"

#include <string.h>

#include "session_tags.h"

enum { EXECUTORS = 1 << 14, PROBES = 8 };

// Executors with a definition in the trace of a session. An entry combines object and type in one number. When all
// slots of a hash are taken, the executor counts as defined; this limits the number of definitions.
static uint64_t known_executors[EXECUTORS];
static uint32_t cycle; // atomic: of session_tags.h

static uintptr_t type_word(uintptr_t identity)
{
	return *(const uintptr_t *)identity;
}

// An address that holds another type now is another executor: not all executors report their destruction.
static inline uint64_t number_of(uintptr_t identity)
{
	return identity + type_word(identity) * 0x9E3779B97F4A7C15u;
}

static uint64_t entry_of(uintptr_t identity, uint32_t session)
{
	return qs_tagged_entry(number_of(identity), session);
}

static uint64_t *slot_of(uintptr_t identity, uint32_t probe)
{
	uint32_t home = (uint32_t)(identity >> 4) * 0x9E3779B1u;
	return &known_executors[((home >> 18) + probe) % EXECUTORS];
}

// Returns whether the entry is new.
static bool add_executor(uintptr_t identity, uint32_t session)
{
	qs_tagged_table_prepare(known_executors, EXECUTORS, &cycle, session);
	uint64_t entry = entry_of(identity, session);
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		uint64_t *slot = slot_of(identity, probe);
		uint64_t found = __atomic_load_n(slot, __ATOMIC_RELAXED);
		if (found == entry) return false;
		// A slot is reusable when it is free or belongs to an earlier session.
		if (!qs_tagged_entry_is_free(found, entry)) continue;
		if (__atomic_compare_exchange_n(slot, &found, entry, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return true;
		if (found == entry) return false;
	}
	return false;
}

static void remove_executor(uintptr_t identity, uint32_t session)
{
	uint64_t entry = entry_of(identity, session);
	for (uint32_t probe = 0; probe < PROBES; probe++) {
		uint64_t found = entry;
		__atomic_compare_exchange_n(slot_of(identity, probe), &found, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

struct qs_type_name qs_type_name_of(uintptr_t object)
{
	const void *type = (const void *)type_word(object);
	if (qs_swift_runtime.type_name == NULL || type == NULL) return (struct qs_type_name){NULL, 0};
	return qs_swift_runtime.type_name(type, true);
}

static uint32_t code_of_name(struct qs_type_name name)
{
	return name.text != NULL ? qs_code_named(name.text, name.length, "", 0, 0) : 0;
}

// The runtime's executors for the main actor, such as Swift.DispatchMainExecutor.
static bool is_main_executor(struct qs_type_name name)
{
	static const char module[] = "Swift.", ending[] = "MainExecutor";
	size_t least = sizeof module - 1 + sizeof ending - 1;
	return name.text != NULL && name.length >= least && memcmp(name.text, module, sizeof module - 1) == 0
		&& memcmp(name.text + name.length - (sizeof ending - 1), ending, sizeof ending - 1) == 0;
}

void qs_executor_define(struct qs_executor executor)
{
	static const struct qs_type_name main_actor = {"MainActor", sizeof "MainActor" - 1};
	if (!add_executor(executor.identity, qs_definitions_number())) return;
	// Before Swift 6.2 the main actor's executor is the main queue, which is not a Swift object.
	bool is_main_queue = executor.identity == (uintptr_t)qs_helpers.main_queue;
	struct qs_type_name name = is_main_queue ? main_actor : qs_type_name_of(executor.identity);
	if (is_main_queue || is_main_executor(name)) {
		qs_record_executor_state(executor.identity, code_of_name(main_actor), qs_executor_kind_main_actor);
		return;
	}
	qs_record_executor_state(executor.identity, code_of_name(name),
		executor.implementation == 0 ? qs_executor_kind_actor : qs_executor_kind_serial_executor);
}

static QS_SLOW_PATH void define_wanted(struct qs_executor executor)
{
	qs_task_thread.defined = number_of(executor.identity);
	qs_task_thread.definitions = qs_definitions_number();
	qs_executor_define(executor);
}

static QS_SLOW_PATH void find_frame(void)
{
	qs_task_find_frame();
}

static inline __attribute__((always_inline)) void note_switch(qs_resume_t resume, struct qs_executor executor)
{
	struct qs_task_thread *thread = &qs_task_thread;
	if (qs_task_run_is_skipped(thread) && thread->session == qs_session_number()) return;
	// A thread often switches to the same actor again.
	if (executor.identity != 0) {
		bool is_defined = thread->defined == number_of(executor.identity)
			&& thread->definitions == qs_definitions_number();
		if (qs_unlikely(!is_defined)) define_wanted(executor);
	}
	if (qs_unlikely(thread->unframed != 0)) find_frame();
	thread->wanted = executor.identity;
	thread->wanted_resume = (uintptr_t)resume;
}

QS_SWIFT_HOOK(QS_ASYNC void, swift_task_switch,
	(QS_ASYNC_CONTEXT void *context, qs_resume_t resume, uintptr_t identity, uintptr_t implementation))
{
	if (qs_tasks_are_followed()) note_switch(resume, (struct qs_executor){identity, implementation});
	QS_SWIFT_TAIL swift_original(swift_task_switch)(context, resume, identity, implementation);
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_defaultActor_initialize, (void *actor))
{
	if (qs_tasks_are_followed()) {
		add_executor((uintptr_t)actor, qs_definitions_number());
		uint32_t type = code_of_name(qs_type_name_of((uintptr_t)actor));
		if (!qs_session_is_flight_recorder()) qs_record_actor_create((uint64_t)(uintptr_t)actor, type);
		else qs_record_executor_state((uint64_t)(uintptr_t)actor, type, qs_executor_kind_actor);
	}
	swift_original(swift_defaultActor_initialize)(actor);
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_defaultActor_destroy, (void *actor))
{
	if (qs_tasks_are_followed()) {
		remove_executor((uintptr_t)actor, qs_definitions_number());
		qs_record_actor_destroy((uint64_t)(uintptr_t)actor);
	}
	swift_original(swift_defaultActor_destroy)(actor);
}
