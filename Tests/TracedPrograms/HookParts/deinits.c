// The deinitializers that have not begun, without the other hooks. Prints "ok" when each runs once, and the search for
// a missing deinitializer ends.
#include "../../../Sources/CDispatchInterposer/deinits.c"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct qs_gate qs_gate;
struct qs_originals qs_originals;
struct qs_swift_runtime qs_swift_runtime;
enum qs_task_detail qs_task_detail;

// Not called, because no session records.

struct qs_task_thread *qs_task_thread_known(void)
{
	return NULL;
}

void qs_task_push_job(uint64_t number, uintptr_t executor)
{
	(void)number, (void)executor;
}

void qs_task_pop_job(uint64_t number)
{
	(void)number;
}

bool qs_task_is_skipped(uint64_t task)
{
	(void)task;
	return false;
}

uint32_t qs_code_address(uint64_t address, uint64_t thunk)
{
	(void)address, (void)thunk;
	return 0;
}

struct qs_type_name qs_type_name_of(uintptr_t object)
{
	(void)object;
	return (struct qs_type_name){NULL, 0};
}

void qs_record_task_create(
	uint64_t task, uint8_t kind, uint8_t priority, uint64_t parent, uint64_t group, uint32_t code)
{
	(void)task, (void)kind, (void)priority, (void)parent, (void)group, (void)code;
}

void qs_record_task_name(uint64_t task, const char *name, size_t length)
{
	(void)task, (void)name, (void)length;
}

void qs_record_task_enqueue(uint64_t task, uint64_t executor, uint32_t code)
{
	(void)task, (void)executor, (void)code;
}

void qs_executor_define(struct qs_executor executor)
{
	(void)executor;
}

void qs_find_concurrency_originals_late(void)
{
}

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

enum { OBJECTS = 4 * PLACES, STEP = 16, SECONDS = 60 };

static char objects[OBJECTS * STEP];
static uint32_t runs[OBJECTS];

static QS_SWIFT void work(void *object)
{
	runs[((char *)object - objects) / STEP]++;
}

int main(void)
{
	alarm(SECONDS);
	static bool is_kept[OBJECTS];
	uint32_t kept = 0;
	for (uint32_t index = 0; index < OBJECTS; index++) {
		is_kept[index] = keep(&objects[index * STEP], (struct deinit){.work = work});
		kept += is_kept[index];
	}
	require(kept > PLACES / 2 && kept <= PLACES, "the table is not full");
	for (uint32_t index = 0; index < OBJECTS; index++) {
		run_deinit(&objects[index * STEP]);
		require(runs[index] == is_kept[index], "a deinitializer did not run once");
		run_deinit(&objects[index * STEP]);
		require(runs[index] == is_kept[index], "a deinitializer ran twice");
	}
	puts("ok");
	return 0;
}
