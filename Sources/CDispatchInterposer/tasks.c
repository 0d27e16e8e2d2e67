// Tasks of Swift Concurrency. The runtime calls its own functions directly, so hooks of exported functions miss most
// steps. But it reports every step to ThreadSanitizer, and these functions take the place of ThreadSanitizer's:
//
//	swift_task_create             task_create
//	release(job)                  task_enqueue
//	enterThreadLocalContext       task_begin
//	exitThreadLocalContext        task_suspend
//	release(task), completing     task_finish
//	acquire(task) in group.next   task_collect
//
// When a task is about to suspend and finds that the awaited result is available, it enters again at the place where it
// exited. The functions run inside the runtime, sometimes under one of its locks, so they only call runtime functions
// that query the current task.
#include "tasks.h"

static qs_sanitizer_function_t next_acquire, next_release;

static uint32_t code_of(uintptr_t address)
{
	return address != 0 ? qs_code_address(address, 0) : 0;
}

// MARK: The tasks of this thread

// The word at the begin of every task: the runtime has one type for all tasks. 0 before the first task.
static uintptr_t task_type;

static void begin(struct qs_task_thread *thread, const void *task, const char *state, struct qs_executor executor)
{
	// Written once, because all threads read it.
	uintptr_t type = qs_word_at(task, 0);
	if (qs_unlikely(__atomic_load_n(&task_type, __ATOMIC_RELAXED) != type)) {
		__atomic_store_n(&task_type, type, __ATOMIC_RELAXED);
	}
	uint64_t id = qs_task_id(task);
	bool is_skipped = qs_skips_task(id);
	if (executor.identity != 0 && !is_skipped) qs_executor_define(executor);
	thread->wanted_resume = 0;
	thread->enqueued = NULL;
	if (thread->finished == task) thread->finished = NULL;
	struct qs_task_frame frame = {.task = task, .state = state, .executor = executor.identity};
	qs_task_push(thread, frame, is_skipped);
	if (!is_skipped) qs_record_task_begin(id, executor.identity);
}

static __attribute__((noinline)) void record_begin(const char *state)
{
	qs_tasks_install_front();
	const void *task = qs_current_task();
	if (task != NULL) begin(qs_task_thread_known(), task, state, qs_swift_runtime.get_current_executor());
}

// The runtime calls this function when a task begins or continues on this thread.
QS_SWIFT_HOOK(void, swift_task_enterThreadLocalContext, (char *state))
{
	if (qs_tasks_are_followed()) record_begin(state);
	swift_original(swift_task_enterThreadLocalContext)(state);
}

// Whether sampling leaves out the end of a run: as its begin, if this thread has seen it.
static bool run_is_skipped(const struct qs_task_thread *thread, bool is_known, uint64_t id)
{
	return is_known ? qs_task_run_is_skipped(thread) : qs_skips_task(id);
}

static __attribute__((noinline)) void record_suspension(const char *state)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	const struct qs_task_frame *frame = qs_task_innermost(thread);
	if (qs_task_run_is_skipped(thread) && frame->task != NULL && frame->state == state) {
		qs_task_pop(thread);
		return;
	}
	const void *current = qs_current_task();
	bool is_known = frame != NULL && frame->task != NULL
		&& (frame->state == state || (frame->state == NULL && frame->task == current));
	// A task that switches to another executor is no longer the thread's current task: without a frame it is unknown.
	const void *task = is_known ? frame->task : current;
	if (task == NULL) return;
	uint64_t id = qs_task_id(task);
	if (run_is_skipped(thread, is_known, id)) {
		// Only the frame ends.
	} else if (qs_task_detail != qs_task_detail_full || state != (const char *)task + QS_TASK_STATE) {
		qs_record_task_suspend(id, qs_await_kind_unknown, 0, 0, 0);
	} else {
		struct qs_await await = qs_await_of(task);
		// A task that only switches its executor continues soon: its code is enough, without a stack.
		uint32_t stack = await.kind != qs_await_kind_executor && await.resume != 0 ? qs_await_stack(&await) : 0;
		qs_record_task_suspend(id, await.kind, await.object, code_of(await.resume), stack);
	}
	if (is_known || frame == NULL) qs_task_pop(thread);
}

// Called when a task suspends (not when it completes), before another thread can resume it.
QS_SWIFT_HOOK(void, swift_task_exitThreadLocalContext, (char *state))
{
	if (qs_tasks_are_followed()) record_suspension(state);
	swift_original(swift_task_exitThreadLocalContext)(state);
}

// MARK: Calls of ThreadSanitizer by the runtime

// The first step of a task may come during its creation: a child of a cancelled task is cancelled at once.
static void record_creation(struct qs_task_thread *thread, const void *task)
{
	struct qs_task_creation *creation = thread->creation;
	if (creation != NULL && !creation->is_recorded) qs_task_created(task, creation);
}

static void record_enqueue(struct qs_task_thread *thread, const void *job)
{
	if (!qs_job_is_task(job)) return;
	record_creation(thread, job);
	uint64_t id = qs_task_id(job);
	if (qs_skips_task(id)) return;
	uint64_t executor = 0;
	if (qs_task_detail == qs_task_detail_full) {
		struct qs_await await = qs_await_of(job);
		if (await.kind == qs_await_kind_executor) executor = await.object;
		// Also when the task never begins there, for example on a blocked main thread. A switch has defined it.
		if (executor != 0 && executor != thread->wanted) {
			qs_executor_define((struct qs_executor){executor, await.implementation});
		}
	}
	qs_record_task_enqueue(id, executor, thread->resumed == job ? code_of(thread->resumer) : 0);
}

// The current task switches to another executor and keeps the thread.
static void record_move(struct qs_task_thread *thread, struct qs_task_frame *frame, uintptr_t executor)
{
	uintptr_t resume = 0;
	frame->executor = executor;
	if (qs_task_run_is_skipped(thread)) return;
	if (qs_task_detail == qs_task_detail_full) resume = qs_word_at(frame->task, QS_TASK_RESUME);
	else if (thread->wanted == executor) resume = thread->wanted_resume;
	thread->wanted_resume = 0;
	qs_record_task_switch(executor, code_of(resume));
}

static void record_actor_taken(struct qs_task_thread *thread, const void *actor)
{
	const void *task = qs_current_task();
	struct qs_task_frame *frame = qs_task_innermost(thread);
	if (task == NULL) return;
	if (frame != NULL && frame->task == task) record_move(thread, frame, (uintptr_t)actor);
	else begin(thread, task, NULL, (struct qs_executor){(uintptr_t)actor, 0});
}

// Whether the address is the innermost task of this thread: the task of the frame, or a task without a frame. A task
// that finishes is released twice.
static bool is_innermost(const struct qs_task_thread *thread, const struct qs_task_frame *frame, const void *address)
{
	if (frame != NULL) return frame->task == address;
	return thread->unframed != 0 && thread->finished != address
		&& qs_word_at(address, 0) == __atomic_load_n(&task_type, __ATOMIC_RELAXED);
}

static bool is_completing(const struct qs_task_thread *thread, const struct qs_task_frame *frame, const void *address,
	const void *caller)
{
	if (qs_task_detail != qs_task_detail_full) return qs_is_in_place(caller, QS_IN_COMPLETE);
	if (!is_innermost(thread, frame, address)) return false;
	// The runtime sets this bit before it calls ThreadSanitizer.
	uint64_t status = __atomic_load_n((const uint64_t *)((const char *)address + QS_TASK_STATUS), __ATOMIC_RELAXED);
	return (status & QS_STATUS_COMPLETE) != 0;
}

static void record_finish(struct qs_task_thread *thread, const struct qs_task_frame *frame, const void *task)
{
	uint64_t id = qs_task_id(task);
	bool is_known = frame != NULL && frame->task == task;
	if (!run_is_skipped(thread, is_known, id)) qs_record_task_finish(id);
	thread->finished = task;
	if (frame == NULL || is_known) qs_task_pop(thread);
}

// Most calls: an actor was free. A function of its own, because it saves fewer registers.
static __attribute__((noinline)) void record_actor(const void *actor)
{
	record_actor_taken(qs_task_thread_known(), actor);
}

static __attribute__((noinline)) void record_other_acquire(const void *address, const void *caller)
{
	if (qs_is_in_place(caller, QS_IN_CANCEL) || qs_is_in_place(caller, QS_IN_CANCEL_CHILDREN)
		|| qs_is_in_place(caller, QS_IN_CANCEL_GROUP)) {
		record_creation(qs_task_thread_known(), address);
		uint64_t id = qs_task_id(address);
		if (!qs_skips_task(id)) qs_record_task_cancel(id);
	} else if (qs_is_in_place(caller, QS_IN_ESCALATE)) {
		record_creation(qs_task_thread_known(), address);
		uint64_t id = qs_task_id(address);
		if (qs_skips_task(id)) return;
		bool can_ask = qs_swift_runtime.current_priority != NULL;
		qs_record_task_escalate(id, can_ask ? (uint8_t)qs_swift_runtime.current_priority(address) : 0);
	} else if (qs_is_in_place(caller, QS_IN_GROUP_NEXT) && qs_task_detail == qs_task_detail_full) {
		// The group still has its reference to the child.
		uint64_t id = qs_task_id(address);
		if (!qs_skips_task(id)) qs_record_task_collect(id, qs_word_at(address, QS_TASK_GROUP));
	}
}

static inline __attribute__((always_inline)) void record_acquire(const void *address, const void *caller)
{
	if (qs_likely(qs_is_in_place(caller, QS_IN_SWITCH))) record_actor(address);
	else record_other_acquire(address, caller);
}

// Most calls: the task released its actor and has not taken another one.
static __attribute__((noinline)) void record_actor_left(struct qs_task_thread *thread, struct qs_task_frame *frame)
{
	record_move(thread, frame, 0);
}

static __attribute__((noinline)) void record_other_release(
	struct qs_task_thread *thread, struct qs_task_frame *frame, const void *address, const void *caller)
{
	if (qs_is_in_place(caller, QS_IN_ENQUEUE)) {
		thread->enqueued = address;
		record_enqueue(thread, address);
	} else if (qs_is_in_place(caller, QS_IN_ENQUEUE_GLOBAL)) {
		// swift_task_enqueue calls this function for jobs of the global executor.
		if (thread->enqueued != address) record_enqueue(thread, address);
		thread->enqueued = NULL;
	} else if (is_completing(thread, frame, address, caller)) {
		record_finish(thread, frame, address);
	}
}

static inline __attribute__((always_inline)) void record_release(const void *address, const void *caller)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	struct qs_task_frame *frame = qs_task_innermost(thread);
	bool leaves = frame != NULL && frame->task != NULL && frame->executor == (uintptr_t)address;
	if (leaves) record_actor_left(thread, frame);
	else record_other_release(thread, frame, address, caller);
}

static void on_acquire(const void *address)
{
	if (qs_unlikely(next_acquire != NULL)) next_acquire(address);
	if (qs_is_recording() && qs_likely(!qs_task_thread.is_in_hook)) {
		record_acquire(address, __builtin_return_address(0));
	}
}

static void on_release(const void *address)
{
	if (qs_unlikely(next_release != NULL)) next_release(address);
	if (qs_is_recording() && qs_likely(!qs_task_thread.is_in_hook)) {
		record_release(address, __builtin_return_address(0));
	}
}

// MARK: ThreadSanitizer functions of the program in front of these functions
//
//	runtime ──► front_acquire ──► the program's ──► on_acquire ──► what was there before
//
// Then on_acquire sees the program's function as its caller instead of the runtime. A front function is installed
// before the program's function. It records the call, and on_acquire only forwards it.

static qs_sanitizer_function_t program_acquire, program_release;
static bool was_followed; // in an earlier session, or in this one

static void call_program(qs_sanitizer_function_t function, const void *address)
{
	bool outer = qs_task_thread.is_in_hook;
	qs_task_thread.is_in_hook = true;
	function(address);
	qs_task_thread.is_in_hook = outer;
}

static void front_acquire(const void *address)
{
	call_program(program_acquire, address);
	if (qs_is_recording()) record_acquire(address, __builtin_return_address(0));
}

static void front_release(const void *address)
{
	call_program(program_release, address);
	if (qs_is_recording()) record_release(address, __builtin_return_address(0));
}

// Done once. If the program installs a further function in front, calls of the runtime are no longer recognised.
static void install_front(qs_sanitizer_function_t *place, qs_sanitizer_function_t own, qs_sanitizer_function_t front,
	qs_sanitizer_function_t *programs)
{
	qs_sanitizer_function_t now = __atomic_load_n(place, __ATOMIC_RELAXED), none = NULL;
	if (qs_likely(now == own) || now == front || now == NULL) return;
	if (!__atomic_compare_exchange_n(programs, &none, now, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
	__atomic_compare_exchange_n(place, &now, front, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void qs_tasks_install_front(void)
{
	install_front(qs_swift_runtime.tsan_acquire, on_acquire, front_acquire, &program_acquire);
	install_front(qs_swift_runtime.tsan_release, on_release, front_release, &program_release);
}

// MARK: Sessions

static void follow(qs_sanitizer_function_t *place, qs_sanitizer_function_t own, qs_sanitizer_function_t front,
	qs_sanitizer_function_t *programs, qs_sanitizer_function_t *next)
{
	qs_sanitizer_function_t now = __atomic_load_n(place, __ATOMIC_RELAXED);
	if (now == own || now == front) return;
	if (__atomic_load_n(programs, __ATOMIC_RELAXED) == now && now != NULL) {
		__atomic_store_n(place, front, __ATOMIC_RELEASE);
	} else if (!was_followed || now == *next) {
		*next = now;
		__atomic_store_n(place, own, __ATOMIC_RELEASE);
	} else {
		// The program has installed its function in an earlier session, so it calls `own`.
		install_front(place, own, front, programs);
	}
}

static void leave(qs_sanitizer_function_t *place, qs_sanitizer_function_t own, qs_sanitizer_function_t front,
	qs_sanitizer_function_t programs, qs_sanitizer_function_t next)
{
	qs_sanitizer_function_t now = __atomic_load_n(place, __ATOMIC_RELAXED);
	if (now == own) __atomic_store_n(place, next, __ATOMIC_RELEASE);
	else if (now == front) __atomic_store_n(place, programs, __ATOMIC_RELEASE);
}

void qs_tasks_follow_runtime(void)
{
	if (__atomic_load_n(&qs_task_detail, __ATOMIC_ACQUIRE) == qs_task_detail_none) return;
	follow(qs_swift_runtime.tsan_acquire, on_acquire, front_acquire, &program_acquire, &next_acquire);
	follow(qs_swift_runtime.tsan_release, on_release, front_release, &program_release, &next_release);
	was_followed = true;
}

void qs_tasks_leave_runtime(void)
{
	if (!was_followed) return;
	leave(qs_swift_runtime.tsan_acquire, on_acquire, front_acquire, program_acquire, next_acquire);
	leave(qs_swift_runtime.tsan_release, on_release, front_release, program_release, next_release);
}

void qs_tasks_define(void)
{
	if (qs_swift_runtime.task_id == NULL) return;
	// The end of a wait for a group collects a child, too, and only full detail records these waits.
	bool has_collects = qs_task_detail == qs_task_detail_full && qs_runtime_places[QS_IN_GROUP_NEXT].size != 0;
	qs_record_task_track(
		qs_task_detail, qs_task_detail_reason, __builtin_strlen(qs_task_detail_reason), has_collects);
}

// MARK: Resumption of continuations

// The task may become ready during the call and be freed after it, so the resumer is stored before.
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

// Messages of the runtime, for example about a continuation that was never resumed. The function is in libswiftCore,
// which reports other errors with it as well.
QS_SWIFT_HOOK(void, swift_reportError, (uint32_t flags, const char *message))
{
	if (qs_is_recording() && message != NULL) {
		qs_record_dispatch_log(qs_current_tid(), message, __builtin_strlen(message));
	}
	swift_original(swift_reportError)(flags, message);
}
