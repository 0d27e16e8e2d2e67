// The tasks and isolated deinitializers that run on this thread, inside each other.
#include "tasks.h"

__thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

struct qs_task_thread *qs_task_thread_known(void)
{
	struct qs_task_thread *thread = &qs_task_thread;
	uint32_t session = qs_session_number();
	if (qs_unlikely(thread->session != session)) {
		thread->session = session;
		thread->depth = thread->skipped = 0;
		thread->unframed = 0;
		thread->resumed = thread->enqueued = thread->finished = NULL;
		thread->wanted = thread->wanted_resume = 0;
	}
	return thread;
}

void qs_task_push(struct qs_task_thread *thread, struct qs_task_frame frame, bool is_skipped)
{
	if (thread->depth == QS_TASK_FRAMES) {
		thread->depth--;
		thread->unframed++;
		thread->skipped >>= 1;
		__builtin_memmove(&thread->frames[0], &thread->frames[1], sizeof thread->frames[0] * (QS_TASK_FRAMES - 1));
	}
	if (qs_unlikely(is_skipped)) thread->skipped |= (uint8_t)(1u << thread->depth);
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
	if (qs_unlikely(thread->skipped != 0)) thread->skipped &= (uint8_t)~(1u << thread->depth);
	const struct qs_task_frame *outer = qs_task_innermost(thread);
	if (outer == NULL || qs_task_run_is_skipped(thread)) return;
	qs_record_task_begin(outer->task != NULL ? qs_task_id(outer->task) : outer->job, outer->executor);
}

void qs_task_find_frame(void)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	const char *task = thread->depth == 0 && thread->unframed != 0 ? qs_current_task() : NULL;
	if (task == NULL) return;
	thread->unframed--;
	struct qs_task_frame frame = {.task = task, .state = task + QS_TASK_STATE};
	qs_task_push(thread, frame, qs_skips_task(qs_task_id(task)));
}

void qs_task_push_job(uint64_t number, uintptr_t executor)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	bool is_skipped = qs_skips_task(number);
	qs_task_push(thread, (struct qs_task_frame){.job = number, .executor = executor}, is_skipped);
	if (!is_skipped) qs_record_task_begin(number, executor);
}

void qs_task_pop_job(uint64_t number)
{
	struct qs_task_thread *thread = qs_task_thread_known();
	const struct qs_task_frame *frame = qs_task_innermost(thread);
	bool is_own = frame != NULL && frame->task == NULL && frame->job == number;
	bool is_skipped = is_own ? qs_task_run_is_skipped(thread) : qs_skips_task(number);
	if (!is_skipped) qs_record_task_finish(number);
	if (frame == NULL || is_own) qs_task_pop(thread);
}
