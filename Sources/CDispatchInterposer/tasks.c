// Tasks of Swift Concurrency. The runtime calls itself directly, so its functions that can be hooked are not enough; but
// it tells ThreadSanitizer of every step, and we stand where that would:
//
//	swift_task_create             task_create
//	release(job)                  task_enqueue
//	enterThreadLocalContext       task_begin
//	exitThreadLocalContext        task_suspend
//	release(task), completing     task_finish
//
// A task that finds, on its way to sleep, that what it awaits has happened is entered again where it was exited. Our
// functions run inside of the runtime, now and then under a lock of it: they do not call it back but to ask who runs.
#include "tasks.h"

#include "text_map.h"

__thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

static qs_sanitizer_function_t next_acquire, next_release;

static uint64_t task_id(const void *task)
{
	return task != NULL ? qs_swift_runtime.task_id(task) : 0;
}

static const void *current_task(void)
{
	return qs_swift_runtime.get_current();
}

static uint32_t code_of(uintptr_t address)
{
	return address != 0 ? qs_code_address(address, 0) : 0;
}

// MARK: The tasks of this thread

// What this thread knows, without what is of another session: those tasks may be gone since.
static struct qs_task_thread *known_thread(void)
{
	struct qs_task_thread *thread = &qs_task_thread;
	uint32_t session = qs_session_number();
	if (qs_unlikely(thread->session != session)) {
		thread->session = session;
		thread->depth = 0;
		thread->resumed = thread->enqueued = NULL;
		thread->wanted_resume = 0;
	}
	return thread;
}

static struct qs_task_frame *innermost(struct qs_task_thread *thread)
{
	return thread->depth != 0 ? &thread->frames[thread->depth - 1] : NULL;
}

static void push(struct qs_task_thread *thread, struct qs_task_frame frame)
{
	if (thread->depth == QS_TASK_FRAMES) {
		thread->depth--;
		__builtin_memmove(&thread->frames[0], &thread->frames[1], sizeof thread->frames[0] * (QS_TASK_FRAMES - 1));
	}
	thread->frames[thread->depth++] = frame;
}

// A task leaves this thread. The one that it ran inside of goes on.
static void pop(struct qs_task_thread *thread)
{
	thread->wanted_resume = 0;
	if (thread->depth == 0) return;
	thread->depth--;
	const struct qs_task_frame *outer = innermost(thread);
	if (outer != NULL) qs_record_task_begin(task_id(outer->task), outer->executor);
}

static void begin(struct qs_task_thread *thread, const void *task, const char *state, struct qs_executor executor)
{
	if (executor.identity != 0) qs_executor_meet(executor);
	thread->wanted_resume = 0;
	thread->enqueued = NULL;
	push(thread, (struct qs_task_frame){task, state, executor.identity, thread->session});
	qs_record_task_begin(task_id(task), executor.identity);
}

static __attribute__((noinline)) void record_begin(const char *state)
{
	const void *task = current_task();
	if (task != NULL) begin(known_thread(), task, state, qs_swift_runtime.get_current_executor());
}

// The runtime calls it when a task begins or goes on on this thread.
QS_SWIFT_HOOK(void, swift_task_enterThreadLocalContext, (char *state))
{
	if (qs_tasks_are_followed()) record_begin(state);
	swift_original(swift_task_enterThreadLocalContext)(state);
}

static __attribute__((noinline)) void record_suspension(const char *state)
{
	struct qs_task_thread *thread = known_thread();
	const struct qs_task_frame *frame = innermost(thread);
	const void *current = current_task();
	bool is_known = frame != NULL && (frame->state == state || (frame->state == NULL && frame->task == current));
	// One that goes to another executor is not the thread's own any more: without a frame nobody knows which it is.
	const void *task = is_known ? frame->task : current;
	if (task == NULL) return;
	if (qs_task_detail != qs_task_detail_full || state != (const char *)task + QS_TASK_STATE) {
		qs_record_task_suspend(task_id(task), qs_await_kind_unknown, 0, 0, 0);
	} else {
		struct qs_await await = qs_await_of(task);
		// One that only wants another executor waits for nothing, and is back soon: its code is enough.
		uint32_t stack = await.kind != qs_await_kind_executor && await.resume != 0 ? qs_await_stack(&await) : 0;
		qs_record_task_suspend(task_id(task), await.kind, await.object, code_of(await.resume), stack);
	}
	if (is_known) pop(thread);
}

// The runtime calls it when a task leaves its thread but not when it ends, before another thread may have it.
QS_SWIFT_HOOK(void, swift_task_exitThreadLocalContext, (char *state))
{
	if (qs_tasks_are_followed()) record_suspension(state);
	swift_original(swift_task_exitThreadLocalContext)(state);
}

// MARK: Where the runtime calls ThreadSanitizer

// What this thread's tasks were made with, as a number: most are made in a few places. Found out once for each.
enum { ENTRIES = 16 };

static __thread struct {
	uintptr_t entry, captured;
	uint32_t session;
	uint32_t code;
} entries[ENTRIES] __attribute__((tls_model("initial-exec")));

// The function that a task runs is mostly the first word that a thunk has captured; the symbols tell whether it is a thunk.
static uint32_t code_of_entry(uintptr_t entry, const void *closure)
{
	if (entry == 0) return 0;
	enum { HEADER = 2 };
	uintptr_t captured = closure != NULL ? ((const uintptr_t *)closure)[HEADER] : 0;
	uint32_t session = qs_session_number();
	__typeof__(entries[0]) *known = &entries[(uint32_t)((entry ^ captured) >> 3) * 0x9E3779B1u >> 28];
	if (known->entry == entry && known->captured == captured && known->session == session) return known->code;
	uintptr_t function = qs_async_code(entry);
	uintptr_t inner = captured != 0 ? qs_async_code(captured) : 0;
	if (function == 0) function = entry;
	known->entry = entry;
	known->captured = captured;
	known->session = session;
	known->code = inner != 0 ? qs_code_address(inner, function) : qs_code_address(function, 0);
	return known->code;
}

static void record_creation(const void *task, struct qs_task_creation *creation)
{
	creation->is_recorded = true;
	uint64_t id = task_id(task);
	uint64_t parent = task_id(current_task());
	// Only the program's main function, and what the runtime makes for itself, wait to be started.
	if (creation->kind == qs_task_kind_unknown) creation->kind = parent == 0 ? qs_task_kind_main : qs_task_kind_sleep;
	qs_record_task_create(id, creation->kind, creation->qos, parent, creation->group,
		code_of_entry(creation->entry, creation->closure));
	if (creation->name != NULL) qs_record_task_name(id, creation->name, __builtin_strlen(creation->name));
}

static void record_enqueue(struct qs_task_thread *thread, const void *job)
{
	if (!qs_job_is_task(job)) return;
	struct qs_task_creation *creation = thread->creation;
	if (creation != NULL && !creation->is_recorded) record_creation(job, creation);
	uint64_t executor = 0;
	if (qs_task_detail == qs_task_detail_full) {
		struct qs_await await = qs_await_of(job);
		if (await.kind == qs_await_kind_executor) executor = await.object;
	}
	qs_record_task_enqueue(task_id(job), executor, thread->resumed == job ? code_of(thread->resumer) : 0);
}

// The task of this thread goes on on another executor, without leaving the thread.
static void record_move(struct qs_task_thread *thread, struct qs_task_frame *frame, uintptr_t executor)
{
	uintptr_t resume = 0;
	if (qs_task_detail == qs_task_detail_full) resume = qs_word_at(frame->task, QS_TASK_RESUME);
	else if (thread->wanted == executor) resume = thread->wanted_resume;
	thread->wanted_resume = 0;
	frame->executor = executor;
	qs_record_task_switch(executor, code_of(resume));
}

static void record_actor_taken(struct qs_task_thread *thread, const void *actor)
{
	const void *task = current_task();
	struct qs_task_frame *frame = innermost(thread);
	if (frame != NULL && frame->task == task) record_move(thread, frame, (uintptr_t)actor);
	else if (task != NULL) begin(thread, task, NULL, (struct qs_executor){(uintptr_t)actor, 0});
}

static bool is_completing(const struct qs_task_frame *frame, const void *address, const void *caller)
{
	if (qs_task_detail != qs_task_detail_full) return qs_is_in_place(caller, QS_IN_COMPLETE);
	if (frame == NULL || frame->task != address) return false;
	// The runtime sets it before it tells.
	uint64_t status = __atomic_load_n((const uint64_t *)((const char *)address + QS_TASK_STATUS), __ATOMIC_RELAXED);
	return (status & QS_STATUS_COMPLETE) != 0;
}

static void record_finish(struct qs_task_thread *thread, const struct qs_task_frame *frame, const void *task)
{
	qs_record_task_finish(task_id(task));
	if (frame != NULL && frame->task == task) pop(thread);
}

static __attribute__((noinline)) void record_acquire(const void *address, const void *caller)
{
	if (qs_is_in_place(caller, QS_IN_SWITCH)) {
		record_actor_taken(known_thread(), address);
	} else if (qs_is_in_place(caller, QS_IN_CANCEL)) {
		qs_record_task_cancel(task_id(address));
	} else if (qs_is_in_place(caller, QS_IN_ESCALATE)) {
		bool can_ask = qs_swift_runtime.current_priority != NULL;
		qs_record_task_escalate(task_id(address), can_ask ? (uint8_t)qs_swift_runtime.current_priority(address) : 0);
	}
}

static __attribute__((noinline)) void record_release(const void *address, const void *caller)
{
	struct qs_task_thread *thread = known_thread();
	struct qs_task_frame *frame = innermost(thread);
	if (qs_is_in_place(caller, QS_IN_ENQUEUE)) {
		thread->enqueued = address;
		record_enqueue(thread, address);
	} else if (qs_is_in_place(caller, QS_IN_ENQUEUE_GLOBAL)) {
		// swift_task_enqueue calls it for jobs of the global executor.
		if (thread->enqueued != address) record_enqueue(thread, address);
		thread->enqueued = NULL;
	} else if (frame != NULL && frame->executor != 0 && frame->executor == (uintptr_t)address) {
		// Its task gave the actor up, and has not taken another one before.
		record_move(thread, frame, 0);
	} else if (is_completing(frame, address, caller)) {
		record_finish(thread, frame, address);
	}
}

static void on_acquire(const void *address)
{
	if (qs_unlikely(next_acquire != NULL)) next_acquire(address);
	if (qs_is_recording()) record_acquire(address, __builtin_return_address(0));
}

static void on_release(const void *address)
{
	if (qs_unlikely(next_release != NULL)) next_release(address);
	if (qs_is_recording()) record_release(address, __builtin_return_address(0));
}

// Once: a function that the program puts there later stays, whether it calls ours or not.
void qs_tasks_follow_runtime(void)
{
	qs_sanitizer_function_t *acquire = qs_swift_runtime.tsan_acquire, *release = qs_swift_runtime.tsan_release;
	next_acquire = *acquire;
	next_release = *release;
	__atomic_store_n(acquire, on_acquire, __ATOMIC_RELEASE);
	__atomic_store_n(release, on_release, __ATOMIC_RELEASE);
}

void qs_tasks_define(void)
{
	if (qs_swift_runtime.task_id == NULL) return;
	qs_record_task_track(qs_task_detail, qs_task_detail_reason, __builtin_strlen(qs_task_detail_reason));
}

void qs_task_delayed(const void *job)
{
	if (!qs_tasks_are_followed() || !qs_job_is_task(job)) return;
	qs_record_task_create(task_id(job), qs_task_kind_sleep, 0, task_id(current_task()), 0, 0);
}

// MARK: What code calls

// Flags and options of a creation, from the ABI.
enum {
	CREATE_PRIORITY = 0xFF,
	CREATE_INHERITS = 1 << 11,
	CREATE_ENQUEUES = 1 << 12,
	CREATE_IMMEDIATE = 1 << 16,
	OPTION_GROUP = 1,
	OPTION_NAME = 7,
	OPTIONS = 8,
};

struct task_option {
	uintptr_t kind; // in the low byte
	const struct task_option *next;
	const void *value;
};

static uint8_t kind_of(uintptr_t flags)
{
	if ((flags & CREATE_IMMEDIATE) != 0) return qs_task_kind_immediate;
	if ((flags & CREATE_ENQUEUES) == 0) return qs_task_kind_unknown;
	return (flags & CREATE_INHERITS) != 0 ? qs_task_kind_unstructured : qs_task_kind_detached;
}

static struct qs_task_creation creation_of(uintptr_t flags, const void *options, void *entry, const void *closure)
{
	struct qs_task_creation creation = {
		.entry = (uintptr_t)entry,
		.closure = closure,
		.qos = (uint8_t)(flags & CREATE_PRIORITY),
		.kind = kind_of(flags),
	};
	const struct task_option *option = options;
	for (int count = 0; option != NULL && count < OPTIONS; option = option->next, count++) {
		uint8_t kind = (uint8_t)option->kind;
		if (kind == OPTION_GROUP) {
			creation.group = (uint64_t)(uintptr_t)option->value;
			creation.kind = qs_task_kind_group_child;
		} else if (kind == OPTION_NAME) {
			creation.name = option->value;
		}
	}
	return creation;
}

QS_SWIFT_HOOK(QS_SWIFT struct qs_created_task, swift_task_create,
	(uintptr_t flags, const void *options, const void *type, void *entry, void *closure))
{
	__typeof__(qs_originals.swift_task_create) create = swift_original(swift_task_create);
	if (!qs_tasks_are_followed()) return create(flags, options, type, entry, closure);
	struct qs_task_creation creation = creation_of(flags, options, entry, closure);
	struct qs_task_thread *thread = known_thread();
	struct qs_task_creation *outer = thread->creation;
	thread->creation = &creation;
	struct qs_created_task created = create(flags, options, type, entry, closure);
	thread->creation = outer;
	if (!creation.is_recorded) record_creation(created.task, &creation);
	return created;
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_asyncLet_begin,
	(void *alet, const void *options, const void *type, void *entry, void *closure, void *buffer))
{
	__typeof__(qs_originals.swift_asyncLet_begin) start = swift_original(swift_asyncLet_begin);
	if (!qs_tasks_are_followed()) {
		start(alet, options, type, entry, closure, buffer);
		return;
	}
	struct qs_task_creation creation = {
		.entry = (uintptr_t)entry, .closure = closure, .kind = qs_task_kind_async_let};
	struct qs_task_thread *thread = known_thread();
	struct qs_task_creation *outer = thread->creation;
	thread->creation = &creation;
	start(alet, options, type, entry, closure, buffer);
	thread->creation = outer;
}

// The task may be made ready inside of the call, and be gone after it: who resumes it is remembered before.
#define QS_RESUMING(task, call) \
	do { \
		struct qs_task_thread *thread = &qs_task_thread; \
		const void *outer = thread->resumed; \
		uintptr_t outer_resumer = thread->resumer; \
		thread->resumed = (task); \
		thread->resumer = (uintptr_t)__builtin_return_address(0); \
		call; \
		thread->resumed = outer; \
		thread->resumer = outer_resumer; \
	} while (0)

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_resume, (void *task))
{
	QS_RESUMING(task, swift_original(swift_continuation_resume)(task));
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_throwingResume, (void *task))
{
	QS_RESUMING(task, swift_original(swift_continuation_throwingResume)(task));
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_throwingResumeWithError, (void *task, void *error))
{
	QS_RESUMING(task, swift_original(swift_continuation_throwingResumeWithError)(task, error));
}
