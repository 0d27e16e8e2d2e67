// Tasks of Swift Concurrency. The runtime calls itself directly, so its functions that can be hooked are not enough; but
// it tells ThreadSanitizer of every step, and we stand where that would:
//
//	swift_task_create             task_create
//	release(job)                  task_enqueue
//	acquire(job)                  task_begin
//	exitThreadLocalContext        task_suspend
//	release(task), completing     task_finish
//
// Our functions run inside of the runtime, now and then under a lock of it: they do not call it back but to ask who runs.
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
	qs_record_task_create(id, creation->kind, creation->qos, task_id(current_task()), creation->group,
		code_of_entry(creation->entry, creation->closure));
	if (creation->name != NULL) qs_record_task_name(id, creation->name, __builtin_strlen(creation->name));
}

// MARK: What a suspended task waits for

struct await {
	uint8_t kind;
	uint64_t object;
	const uintptr_t *context;  // where the functions that await begin
	uintptr_t resume;
};

static bool is_pointer(uintptr_t word)
{
	return word > 4096 && word % sizeof(void *) == 0 && word >> 47 == 0;
}

static uintptr_t word_at(const void *base, size_t offset)
{
	return *(const uintptr_t *)((const char *)base + offset);
}

// Only where the layout is known.
static struct await read_await(const void *task)
{
	struct await await = {
		.kind = qs_await_kind_unknown,
		.context = (const uintptr_t *)word_at(task, QS_TASK_CONTEXT),
		.resume = word_at(task, QS_TASK_RESUME),
	};
	uintptr_t dependency = word_at(task, QS_TASK_DEPENDENCY);
	if (!is_pointer(dependency)) return await;
	uint32_t kind = *(const uint32_t *)(dependency + QS_DEPENDENCY_KIND);
	uintptr_t object = word_at((const void *)dependency, QS_DEPENDENCY_OBJECT);
	switch (kind) {
	case qs_await_kind_task:
		await.object = task_id((const void *)object);
		break;
	case qs_await_kind_continuation:
		// The task itself knows only how it goes on when the runtime resumes it; the function's own frame is here.
		if (!is_pointer(object)) return await;
		await.resume = ((const uintptr_t *)object)[1];
		await.context = (const uintptr_t *)((const uintptr_t *)object)[0];
		break;
	case qs_await_kind_group:
	case qs_await_kind_executor:
		await.object = object;
		break;
	default: return await;
	}
	await.kind = (uint8_t)kind;
	return await;
}

enum { AWAITING_FUNCTIONS = 32, AWAIT_PLACES = 16, FIRST_AWAITS = 4, LATER_AWAITS = 256 };

// The stack that this thread took last where a task awaits: most await in a few places, again and again.
static __thread struct {
	uintptr_t resume;
	uint32_t session;
	uint32_t stack;
	uint32_t calls;
} await_places[AWAIT_PLACES] __attribute__((tls_model("initial-exec")));

// A frame of an async function begins with its caller's, and with where that goes on.
static uint32_t await_stack(const struct await *await)
{
	uint32_t session = qs_definitions_number();
	__typeof__(await_places[0]) *place = &await_places[(uint32_t)(await->resume >> 4) * 0x9E3779B1u >> 28];
	if (place->resume == await->resume && place->session == session && ++place->calls > FIRST_AWAITS
		&& place->calls % LATER_AWAITS != 0) return place->stack;
	uint64_t frames[AWAITING_FUNCTIONS];
	uint16_t count = 0;
	frames[count++] = await->resume;
	const uintptr_t *context = await->context;
	for (; is_pointer((uintptr_t)context) && count < AWAITING_FUNCTIONS; context = (const uintptr_t *)context[0]) {
		if (context[1] != 0) frames[count++] = context[1];
	}
	if (place->resume != await->resume || place->session != session) place->calls = 0;
	place->resume = await->resume;
	place->session = session;
	place->stack = qs_define_stack(frames, count);
	return place->stack;
}

static __attribute__((noinline)) void record_suspension(void)
{
	// One that goes to another executor is not the thread's own any more.
	const void *task = current_task();
	if (task == NULL) task = qs_task_thread.task;
	qs_task_thread.task = NULL;
	qs_task_thread.executor = 0;
	if (task == NULL || qs_task_detail == qs_task_detail_none) return;
	if (qs_task_detail != qs_task_detail_full) {
		qs_record_task_suspend(task_id(task), qs_await_kind_unknown, 0, 0, 0);
		return;
	}
	struct await await = read_await(task);
	// One that only wants another executor waits for nothing, and is back soon: its code is enough.
	uint32_t stack = await.kind != qs_await_kind_executor && await.resume != 0 ? await_stack(&await) : 0;
	qs_record_task_suspend(task_id(task), await.kind, await.object, code_of(await.resume), stack);
}

// The runtime calls it in libswiftCore, when a task leaves its thread but not when it ends.
QS_SWIFT_HOOK(void, swift_task_exitThreadLocalContext, (char *state))
{
	if (qs_is_recording()) record_suspension();
	swift_original(swift_task_exitThreadLocalContext)(state);
}

// MARK: Where the runtime calls ThreadSanitizer

static void record_enqueue(const void *job)
{
	if (!qs_job_is_task(job)) return;
	struct qs_task_creation *creation = qs_task_thread.creation;
	if (creation != NULL && !creation->is_recorded) record_creation(job, creation);
	uint64_t executor = 0;
	if (qs_task_detail == qs_task_detail_full) {
		struct await await = read_await(job);
		if (await.kind == qs_await_kind_executor) executor = await.object;
	}
	qs_record_task_enqueue(task_id(job), executor, code_of(qs_task_thread.resumer));
}

static void record_begin(const void *job)
{
	if (!qs_job_is_task(job)) return;
	struct qs_executor executor = qs_swift_runtime.get_current_executor();
	if (executor.identity != 0) qs_executor_meet(executor);
	qs_task_thread.executor = executor.identity;
	qs_task_thread.wanted_resume = 0;
	qs_task_thread.task = job;
	qs_record_task_begin(task_id(job), executor.identity);
}

void qs_task_moved(uintptr_t executor)
{
	bool is_wanted = qs_task_thread.wanted_resume != 0 && qs_task_thread.wanted == executor;
	uint32_t code = is_wanted ? qs_code_address(qs_task_thread.wanted_resume, 0) : 0;
	qs_task_thread.wanted_resume = 0;
	qs_task_thread.executor = executor;
	qs_record_task_switch(executor, code);
}

static void on_acquire(const void *address)
{
	if (qs_unlikely(next_acquire != NULL)) next_acquire(address);
	if (!qs_is_recording()) return;
	const void *caller = __builtin_return_address(0);
	if (qs_is_in_place(caller, QS_IN_SWITCH)) qs_task_moved((uintptr_t)address);
	else if (qs_is_in_place(caller, QS_IN_JOB_START)) record_begin(address);
}

static void on_release(const void *address)
{
	if (qs_unlikely(next_release != NULL)) next_release(address);
	if (!qs_is_recording()) return;
	const void *caller = __builtin_return_address(0);
	if (qs_is_in_place(caller, QS_IN_ACTOR_UNLOCK)) {
		// Else the task has taken another actor before, or has left its thread.
		if (qs_task_thread.executor == (uintptr_t)address) qs_task_moved(0);
	} else if (qs_is_in_place(caller, QS_IN_ENQUEUE)) {
		qs_task_thread.enqueued = address;
		record_enqueue(address);
	} else if (qs_is_in_place(caller, QS_IN_ENQUEUE_GLOBAL)) {
		// swift_task_enqueue calls it for jobs of the global executor.
		if (qs_task_thread.enqueued != address) record_enqueue(address);
		qs_task_thread.enqueued = NULL;
	} else if (qs_is_in_place(caller, QS_IN_COMPLETE)) {
		qs_task_thread.executor = 0;
		qs_task_thread.task = NULL;
		qs_record_task_finish(task_id(address));
	} else if (qs_is_in_place(caller, QS_IN_CANCEL)) {
		qs_record_task_cancel(task_id(address));
	} else if (qs_is_in_place(caller, QS_IN_ESCALATE)) {
		qs_record_task_escalate(task_id(address), 0);
	}
}

void qs_tasks_follow_runtime(void)
{
	qs_sanitizer_function_t *acquire = qs_swift_runtime.tsan_acquire, *release = qs_swift_runtime.tsan_release;
	if (*acquire == on_acquire) return;
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

// MARK: What code calls

// Flags and options of a creation, from the ABI.
enum {
	CREATE_PRIORITY = 0xFF,
	CREATE_CHILD = 1 << 8,
	CREATE_INHERITS = 1 << 11,
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

static struct qs_task_creation creation_of(uintptr_t flags, const void *options, void *entry, const void *closure)
{
	struct qs_task_creation creation = {
		.entry = (uintptr_t)entry,
		.closure = closure,
		.qos = (uint8_t)(flags & CREATE_PRIORITY),
		.kind = (flags & CREATE_IMMEDIATE) != 0 ? qs_task_kind_immediate
			: (flags & CREATE_INHERITS) != 0 ? qs_task_kind_unstructured : qs_task_kind_detached,
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
	if (!qs_is_recording() || qs_task_detail == qs_task_detail_none) {
		return swift_original(swift_task_create)(flags, options, type, entry, closure);
	}
	struct qs_task_creation creation = creation_of(flags, options, entry, closure);
	struct qs_task_creation *outer = qs_task_thread.creation;
	qs_task_thread.creation = &creation;
	struct qs_created_task created = swift_original(swift_task_create)(flags, options, type, entry, closure);
	qs_task_thread.creation = outer;
	if (!creation.is_recorded) record_creation(created.task, &creation);
	return created;
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_asyncLet_begin,
	(void *alet, const void *options, const void *type, void *entry, void *closure, void *buffer))
{
	struct qs_task_creation creation = {
		.entry = (uintptr_t)entry, .closure = closure, .kind = qs_task_kind_async_let};
	struct qs_task_creation *outer = qs_task_thread.creation;
	bool records = qs_is_recording() && qs_task_detail != qs_task_detail_none;
	if (records) qs_task_thread.creation = &creation;
	swift_original(swift_asyncLet_begin)(alet, options, type, entry, closure, buffer);
	if (records) qs_task_thread.creation = outer;
}

// The task may be made ready inside of the call: who resumes it is remembered for that.
#define QS_RESUMING(call) \
	do { \
		uintptr_t outer = qs_task_thread.resumer; \
		qs_task_thread.resumer = (uintptr_t)__builtin_return_address(0); \
		call; \
		qs_task_thread.resumer = outer; \
	} while (0)

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_resume, (void *task))
{
	QS_RESUMING(swift_original(swift_continuation_resume)(task));
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_throwingResume, (void *task))
{
	QS_RESUMING(swift_original(swift_continuation_throwingResume)(task));
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_continuation_throwingResumeWithError, (void *task, void *error))
{
	QS_RESUMING(swift_original(swift_continuation_throwingResumeWithError)(task, error));
}
