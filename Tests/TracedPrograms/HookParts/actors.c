// The table of executors with a definition, without the other hooks. Prints "ok" when each generation of definitions
// has each executor once, also after 65,536 generations.
#include "../../../Sources/CDispatchInterposer/actors.c"

#include <stdio.h>
#include <stdlib.h>

struct qs_gate qs_gate;
struct qs_helpers qs_helpers;
struct qs_originals qs_originals;
struct qs_swift_runtime qs_swift_runtime;
enum qs_task_detail qs_task_detail;
__thread struct qs_task_thread qs_task_thread __attribute__((tls_model("initial-exec")));

static uint32_t generation;
static uint32_t defined;

uint32_t qs_definitions_number(void)
{
	return generation;
}

void qs_record_executor_state(uint64_t executor, uint32_t type, uint8_t kind)
{
	(void)executor, (void)type, (void)kind;
	defined++;
}

// Not called.

uint32_t qs_code_named(const char *name, size_t name_length, const char *file, size_t file_length, uint32_t line)
{
	(void)name, (void)name_length, (void)file, (void)file_length, (void)line;
	return 0;
}

void qs_record_actor_create(uint64_t actor, uint32_t type)
{
	(void)actor, (void)type;
}

void qs_record_actor_destroy(uint64_t actor)
{
	(void)actor;
}

bool qs_session_is_flight_recorder(void)
{
	return true;
}

void qs_task_find_frame(void)
{
}

void qs_find_concurrency_originals_late(void)
{
}

enum { OBJECTS = 4 * EXECUTORS, SOME = 1000 };

static struct object {
	uintptr_t type;
	uintptr_t rest;
} objects[OBJECTS];

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

static uint32_t define(const struct object *first, uint32_t count)
{
	defined = 0;
	for (uint32_t index = 0; index < count; index++) {
		qs_executor_define((struct qs_executor){(uintptr_t)&first[index], 0});
	}
	return defined;
}

int main(void)
{
	generation = 1;
	require(define(objects, SOME) == SOME, "an executor was not defined");
	require(define(objects, SOME) == 0, "an executor was defined twice");
	generation = 2;
	require(define(objects, SOME) == SOME, "an executor was not defined again");
	require(define(objects, OBJECTS) > EXECUTORS / 2, "the table is not full");
	generation = 2 + (1 << 16);
	require(define(objects, SOME) == SOME, "an executor was not defined after 65,536 generations");
	require(define(objects, SOME) == 0, "an executor was defined twice after 65,536 generations");
	puts("ok");
	return 0;
}
