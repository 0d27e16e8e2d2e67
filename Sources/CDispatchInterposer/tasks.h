// The tasks that run on this thread, and the pending steps between two calls of the runtime's ThreadSanitizer
// functions.
#ifndef QS_TASKS_H
#define QS_TASKS_H

#include "swift_runtime.h"

// A task that is being created.
struct qs_task_creation {
	uint32_t code;  // determined before the call, because the closure may be freed by then
	uint64_t group;
	const char *name;
	uint8_t kind;
	uint8_t qos;
	bool is_recorded;
};

// A task that runs on this thread, or an isolated deinitializer.
struct qs_task_frame {
	const void *task;        // NULL: a deinitializer
	union {
		const char *state;   // of a task: argument of enterThreadLocalContext; NULL: it was first seen while it ran
		uint64_t job;        // number of a deinitializer
	};
	uintptr_t executor;      // 0: the global executor
};

// A task runs inside another task when that task starts it immediately (Task.immediate), or when an executor runs jobs
// in `enqueue`. At more levels the outermost tasks have no frame: their switches of the executor have no previous
// executor, and they have no task_begin when the inner task leaves the thread.
enum { QS_TASK_FRAMES = 8 }; // as many as `skipped` has bits

struct qs_task_thread {
	struct qs_task_frame frames[QS_TASK_FRAMES];  // the innermost task last
	uint16_t depth;
	bool is_in_hook;           // a front function handles this call: see tasks.c
	uint8_t skipped;           // bit of a frame: sampling leaves out this run of the task, decided at its begin
	uint32_t unframed;         // number of outer tasks that have no frame
	const void *finished;      // the last finished task, until a task at this address begins
	uint64_t defined;          // the last executor of swift_task_switch that was defined, with its type,
	uint32_t definitions;      // and the generation of definitions
	uint32_t session;          // the session of the following members
	struct qs_task_creation *creation;
	const void *resumed;       // the task whose continuation is being resumed
	uintptr_t resumer;         // return address of that resume call
	uintptr_t wanted_resume;   // resume function of the last swift_task_switch
	uintptr_t wanted;          // executor identity of the last swift_task_switch
	const void *enqueued;      // the job of the last swift_task_enqueue
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

// The state of this thread, cleared if it is from another session, whose tasks may be freed.
struct qs_task_thread *qs_task_thread_known(void);

// The innermost task of this thread; NULL when no task runs, or when the innermost one has no frame.
static inline struct qs_task_frame *qs_task_innermost(struct qs_task_thread *thread)
{
	return thread->depth != 0 ? &thread->frames[thread->depth - 1] : NULL;
}

// Whether sampling leaves out the run of the innermost task (Events/item_sampling.h).
static inline bool qs_task_run_is_skipped(const struct qs_task_thread *thread)
{
	return qs_unlikely(thread->skipped != 0) && thread->depth != 0 && (thread->skipped >> (thread->depth - 1) & 1) != 0;
}

// A task begins on this thread. Does not record it.
void qs_task_push(struct qs_task_thread *thread, struct qs_task_frame frame, bool is_skipped);

// Ends the innermost task of this thread. Records that the outer task continues.
void qs_task_pop(struct qs_task_thread *thread);

// Gives the current task a frame, if its frame was lost because too many tasks ran inside each other. Call it before
// the task switches its executor, because this task is then no longer the thread's current task.
void qs_task_find_frame(void);

// Whether sampling leaves out the item of a job: as its task, and otherwise as other items.
bool qs_job_is_skipped(const void *job);

// Records that an isolated deinitializer begins and ends on this thread, inside the current task if there is one.
void qs_task_push_job(uint64_t number, uintptr_t executor);
void qs_task_pop_job(uint64_t number);

// Records the creation of a task, once.
void qs_task_created(const void *task, struct qs_task_creation *creation);

// Installs the ThreadSanitizer functions that record the steps of tasks, for a session. Functions that another tool has
// installed are called too. Does nothing without the runtime of Swift Concurrency.
void qs_tasks_follow_runtime(void);

// Restores the functions that were there before the session.
void qs_tasks_leave_runtime(void);

// Installs front functions again, if the program has installed its own functions since.
void qs_tasks_install_front(void);

// Writes the level of detail for tasks. Called at the start of a session.
void qs_tasks_define(void);

// The name of an object's type. The runtime builds the text once per type.
struct qs_type_name qs_type_name_of(uintptr_t object);

// Writes the definition of an executor at its first use in this session.
void qs_executor_define(struct qs_executor executor);

// Records a job that was submitted to libdispatch with a delay, by dispatch_after or by a timer: the runtime's task
// that wakes a sleeping task.
void qs_task_delayed(const void *job);

// The object that a suspended task waits for, and its chain of awaiting functions.
struct qs_await {
	uint8_t kind;
	uint64_t object;
	uintptr_t implementation;  // of an executor
	const uintptr_t *context;  // frame of the innermost function that awaits
	uintptr_t resume;
};

// Reads the await of a task that no other thread can resume during the call. Only when the layout is known.
struct qs_await qs_await_of(const void *task);

// The number of the stack of functions that await. Reads the task's frames, with the same restrictions.
uint32_t qs_await_stack(const struct qs_await *await);

static inline uintptr_t qs_word_at(const void *base, size_t offset)
{
	return *(const uintptr_t *)((const char *)base + offset);
}

#endif
