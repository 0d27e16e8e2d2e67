// Reads from the memory of a suspended task what it waits for, and the chain of async functions that await.
#include "tasks.h"

static bool is_pointer(uintptr_t word)
{
	return word > 4096 && word % sizeof(void *) == 0 && word >> 47 == 0;
}

struct qs_await qs_await_of(const void *task)
{
	struct qs_await await = {
		.kind = qs_await_kind_unknown,
		.context = (const uintptr_t *)qs_word_at(task, QS_TASK_CONTEXT),
		.resume = qs_word_at(task, QS_TASK_RESUME),
	};
	const void *dependency = (const void *)qs_word_at(task, QS_TASK_DEPENDENCY);
	if (!is_pointer((uintptr_t)dependency)) return await;
	// A dependency has a pointer back to its task. A mismatch means that the layout is different.
	if (qs_word_at(dependency, QS_DEPENDENCY_TASK) != (uintptr_t)task) return await;
	uint32_t kind = *(const uint32_t *)((const char *)dependency + QS_DEPENDENCY_KIND);
	uintptr_t object = qs_word_at(dependency, QS_DEPENDENCY_OBJECT);
	switch (kind) {
	case qs_await_kind_task:
		await.object = qs_swift_runtime.task_id((const void *)object);
		break;
	case qs_await_kind_continuation:
		// The task only has the point where the runtime resumes it. The frame of the async function is here.
		if (!is_pointer(object)) return await;
		await.resume = ((const uintptr_t *)object)[1];
		await.context = (const uintptr_t *)((const uintptr_t *)object)[0];
		break;
	case qs_await_kind_executor:
		await.implementation = qs_word_at(dependency, QS_DEPENDENCY_IMPLEMENTATION);
		await.object = object;
		break;
	case qs_await_kind_group:
		await.object = object;
		break;
	default: return await;
	}
	await.kind = (uint8_t)kind;
	return await;
}

enum { AWAITING_FUNCTIONS = 32, AWAIT_STACKS = 8 };

// The await stacks that this thread used last. Most tasks await in a few places.
static __thread struct known_stack {
	uint64_t hash;
	uint32_t session;
	uint32_t stack;
} known_stacks[AWAIT_STACKS] __attribute__((tls_model("initial-exec")));

// The frame of an async function begins with a pointer to its caller's frame and the caller's resume function.
uint32_t qs_await_stack(const struct qs_await *await)
{
	uint64_t frames[AWAITING_FUNCTIONS];
	uint16_t count = 0;
	frames[count++] = await->resume;
	uint64_t hash = await->resume * 0x9E3779B97F4A7C15u;
	const uintptr_t *context = await->context;
	for (; is_pointer((uintptr_t)context) && count < AWAITING_FUNCTIONS; context = (const uintptr_t *)context[0]) {
		if (context[1] == 0) continue;
		frames[count++] = context[1];
		hash = (hash ^ (hash >> 32) ^ context[1]) * 0x9E3779B97F4A7C15u;
	}
	uint32_t session = qs_definitions_number();
	struct known_stack *known = &known_stacks[hash >> 61];
	if (known->hash == hash && known->session == session) return known->stack;
	uint32_t stack = qs_define_stack(frames, count);
	if (stack != 0) *known = (struct known_stack){hash, session, stack};
	return stack;
}
