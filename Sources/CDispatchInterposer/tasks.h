// What this thread's task is about to do, between the calls by which the runtime tells.
#ifndef QS_TASKS_H
#define QS_TASKS_H

#include "swift_runtime.h"

// A task that is being created.
struct qs_task_creation {
	uintptr_t entry;       // an async function pointer, or a function
	const void *closure;   // its context, NULL for none
	uint64_t group;
	const char *name;
	uint8_t kind;
	uint8_t qos;
	bool is_recorded;
};

struct qs_task_thread {
	const void *task;          // that began on this thread last, until it leaves it
	struct qs_task_creation *creation;
	uintptr_t resumer;         // the return address of a call that resumes a continuation; 0 outside of one
	uintptr_t wanted_resume;   // of the task's last swift_task_switch: where it goes on
	uintptr_t wanted;          // and the executor's identity
	uintptr_t executor;        // that the task of this thread took; 0: the global one, or none
	const void *enqueued;      // the job that swift_task_enqueue was told of last
};

extern __thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

// From now on the runtime tells.
void qs_tasks_follow_runtime(void);

// The task that runs on this thread went on on another executor, without leaving the thread.
void qs_task_moved(uintptr_t executor);

// Says how much this trace tells of tasks. At the begin of a session.
void qs_tasks_define(void);

// Defines an executor that is met for the first time in this session.
void qs_executor_meet(struct qs_executor executor);

#endif
