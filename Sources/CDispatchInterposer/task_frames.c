// The tasks and isolated deinitializers that run on this thread, inside each other.
#include "tasks.h"

__thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

struct qs_task_thread *qs_task_thread_known(void)
{
	struct qs_task_thread *thread = &qs_task_thread;
	uint32_t session = qs_session_number();
	if (qs_unlikely(thread->session != session)) {
		thread->session = session;
		thread->depth = thread->unframed = 0;
		thread->resumed = thread->enqueued = thread->finished = NULL;
		thread->wanted = thread->wanted_resume = 0;
	}
	return thread;
}

void qs_task_push(struct qs_task_thread *thread, struct qs_task_frame frame)
{
	if (thread->depth == QS_TASK_FRAMES) {
		thread->depth--;
		thread->unframed++;
		__builtin_memmove(&thread->frames[0], &thread->frames[1], sizeof thread->frames[0] * (QS_TASK_FRAMES - 1));
	}
	thread->frames[thread->depth++] = frame;
}

void qs_task_pop(struct qs_task_thread *thread)
{
	thread->wanted_resume = 0;
	if (thread->depth == 0) {
		if (thread->unframed != 0) thread->unframed--;
		return;
	}
	thread->depth--;
	const struct qs_task_frame *outer = qs_task_innermost(thread);
	if (outer == NULL) return;
	qs_record_task_begin(outer->task != NULL ? qs_task_id(outer->task) : outer->job, outer->executor);
}

void qs_task_find_frame(void)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	const char *task = thread->depth == 0 && thread->unframed != 0 ? qs_current_task() : NULL;
	if (task == NULL) return;
	thread->unframed--;
	qs_task_push(thread, (struct qs_task_frame){.task = task, .state = task + QS_TASK_STATE});
}

void qs_task_push_job(uint64_t number, uintptr_t executor)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	qs_task_push(thread, (struct qs_task_frame){.job = number, .executor = executor});
	qs_record_task_begin(number, executor);
}

void qs_task_pop_job(uint64_t number)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	const struct qs_task_frame *frame = qs_task_innermost(thread);
	qs_record_task_finish(number);
	if (frame == NULL || (frame->task == NULL && frame->job == number)) qs_task_pop(thread);
}
