// Access to the runtime of Swift Concurrency: the functions in which it calls ThreadSanitizer, which report the steps
// of tasks, and the memory layout of a suspended task.
#ifndef QS_SWIFT_RUNTIME_H
#define QS_SWIFT_RUNTIME_H

#include "hooks.h"

struct qs_executor {
	uintptr_t identity;        // the actor or executor object; 0: the global executor
	uintptr_t implementation;  // 0 for a default actor
};

struct qs_type_name {
	const char *text;  // lives as long as the process
	size_t length;
};

typedef void (*qs_sanitizer_function_t)(const void *address);

// Functions of the runtime that call ThreadSanitizer. The return address identifies the caller.
enum qs_runtime_place {
	QS_IN_SWITCH,             // acquire(actor): the actor was free, and its task continues there
	QS_IN_ENQUEUE,            // release(job): the job may run
	QS_IN_ENQUEUE_GLOBAL,     // the same for the global executor
	QS_IN_CANCEL,             // acquire(task)
	QS_IN_CANCEL_CHILDREN,    // acquire(task): the runtime cancels the children of a cancelled task
	QS_IN_CANCEL_GROUP,       // acquire(task): the runtime cancels the tasks of a group
	QS_IN_ESCALATE,           // acquire(task), after its priority was raised
	QS_IN_GROUP_NEXT,         // acquire(task): a task collects a finished child of its group without a suspension
	QS_IN_COMPLETE,           // release(task): the task is complete. Only used when the task layout is not known
	QS_RUNTIME_PLACES,
};

struct qs_swift_runtime {
	void *(QS_SWIFT *get_current)(void);
	struct qs_executor (QS_SWIFT *get_current_executor)(void);
	uint64_t (QS_SWIFT *task_id)(const void *job);
	size_t (QS_SWIFT *current_priority)(const void *task);
	struct qs_type_name (QS_SWIFT *type_name)(const void *type, bool is_qualified);
	qs_sanitizer_function_t *tsan_acquire;
	qs_sanitizer_function_t *tsan_release;
	// Exported functions, used for the ranges above.
	const void *enqueue, *enqueue_global, *cancel, *escalate, *group_next;
	const void *task_name;               // since Swift 6.2
	const uint32_t *layout_version;
	const size_t *task_size;
};

extern struct qs_swift_runtime qs_swift_runtime;
extern struct qs_text_range qs_runtime_places[QS_RUNTIME_PLACES];

// The level of detail that the trace reports; `qs_task_detail_full` means that the layout of tasks is the expected one.
extern enum qs_task_detail qs_task_detail;
extern const char *qs_task_detail_reason;

static inline bool qs_is_in_place(const void *address, enum qs_runtime_place place)
{
	return (uintptr_t)address - qs_runtime_places[place].begin < qs_runtime_places[place].size;
}

// Finds the ranges. A session then installs the hooks of tasks.c as the runtime's ThreadSanitizer functions. Call after
// the originals were found; later calls do nothing. Maps the runtime's file temporarily to read its symbols.
void qs_swift_runtime_prepare(void);

// Offsets in a task of Swift 6.3. They are private to the runtime. Except for QS_JOB_FLAGS they are valid only when
// qs_task_detail is qs_task_detail_full.
enum {
	QS_JOB_FLAGS = 0x20,        // of any job, from the ABI; the low byte is the kind: 0 for a task
	QS_TASK_RESUME = 0x38,
	QS_TASK_CONTEXT = 0x40,
	QS_TASK_STATE = 0x50,       // argument of enterThreadLocalContext and exitThreadLocalContext
	QS_TASK_STATUS = 0x60,
	QS_TASK_DEPENDENCY = 0xA0,
	QS_TASK_GROUP = 0xE0,       // only of a child of a task group
	QS_DEPENDENCY_OBJECT = 0x10,
	QS_DEPENDENCY_IMPLEMENTATION = 0x18,  // of an executor
	QS_DEPENDENCY_KIND = 0x20,
	QS_DEPENDENCY_TASK = 0x28,  // the task that has the dependency
	QS_STATUS_COMPLETE = 1 << 13,
};

// Whether a job is a task. The other jobs drain an actor.
static inline bool qs_job_is_task(const void *job)
{
	return *((const uint8_t *)job + QS_JOB_FLAGS) == 0;
}

#endif
