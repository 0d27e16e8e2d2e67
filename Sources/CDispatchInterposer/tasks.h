// Which tasks run on this thread, and what their code is about to do, between the calls by which the runtime tells.
#ifndef QS_TASKS_H
#define QS_TASKS_H

#include "swift_runtime.h"

// A task that is being created.
struct qs_task_creation {
	uint32_t code;  // found before the call: the closure may be gone after it
	uint64_t group;
	const char *name;
	uint8_t kind;
	uint8_t qos;
	bool is_recorded;
};

// A task that runs on this thread.
struct qs_task_frame {
	const void *task;
	const char *state;   // what the runtime enters and exits with; NULL: it was met while it ran
	uintptr_t executor;  // 0: the global one
	uint32_t session;
};

// A task runs inside of another one where that starts it at once (Task.immediate), or where an executor runs jobs in
// `enqueue`. More than this many are not followed.
enum { QS_TASK_FRAMES = 8 };

struct qs_task_thread {
	struct qs_task_frame frames[QS_TASK_FRAMES];  // the innermost task last
	uint32_t depth;
	uint32_t session;          // that what follows belongs to
	struct qs_task_creation *creation;
	const void *resumed;       // the task whose continuation is being resumed, by the code with this return address
	uintptr_t resumer;
	uintptr_t wanted_resume;   // of the last swift_task_switch: where the task goes on
	uintptr_t wanted;          // and the executor's identity
	const void *enqueued;      // the job that swift_task_enqueue was told of last
	bool is_in_hook;           // a function of ours that stands before the program's was called
};

extern __thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

// Whether tasks are to be recorded.
static inline bool qs_tasks_are_followed(void)
{
	// Pairs with the store in qs_swift_runtime_prepare.
	return qs_is_recording() && __atomic_load_n(&qs_task_detail, __ATOMIC_ACQUIRE) != qs_task_detail_none;
}

static inline uint64_t qs_task_id(const void *task)
{
	return task != NULL ? qs_swift_runtime.task_id(task) : 0;
}

static inline const void *qs_current_task(void)
{
	return qs_swift_runtime.get_current();
}

// What this thread knows, without what is of another session: those tasks may be gone since.
struct qs_task_thread *qs_task_thread_known(void);

// Records the creation of a task, once.
void qs_task_created(const void *task, struct qs_task_creation *creation);

// From now on the runtime tells.
void qs_tasks_follow_runtime(void);

// The program may have put functions of its own in front of ours since: then ours go in front of them.
void qs_tasks_step_in_front(void);

// Says how much this trace tells of tasks. At the begin of a session.
void qs_tasks_define(void);

// Defines an executor that is met for the first time in this session.
void qs_executor_meet(struct qs_executor executor);

// The program submitted a job to libdispatch with a delay: the runtime's own task that wakes a sleeping one.
void qs_task_delayed(const void *job);

// What a suspended task waits for.
struct qs_await {
	uint8_t kind;
	uint64_t object;
	const uintptr_t *context;  // where the functions that await begin
	uintptr_t resume;
};

// Reads it from a task that no other thread can let go on. Only where the layout is known.
struct qs_await qs_await_of(const void *task);

// The number of the stack of functions that await. Looks at the stack's memory, so the same holds.
uint32_t qs_await_stack(const struct qs_await *await);

static inline uintptr_t qs_word_at(const void *base, size_t offset)
{
	return *(const uintptr_t *)((const char *)base + offset);
}

#endif
