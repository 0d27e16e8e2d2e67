// The registry of objects, without the other hooks. Prints "ok" when it finds every object with its label, its lists
// stay short, an object takes the memory that its label needs, and nothing is left after the session.
#include "../../../Sources/CDispatchInterposer/objects.c"
#include "../../../Sources/CTraceRecorder/System/lock.c"

#include <stdio.h>
#include <stdlib.h>

struct qs_helpers qs_helpers;
struct qs_gate qs_gate;
__thread bool qs_thread_is_sandboxed __attribute__((tls_model("initial-exec")));

enum { OBJECTS = 1000000, STRIDE = 176, ARENAS = 4 };

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

// Addresses as malloc returns them: one after the other in a few arenas. Nothing is read there.
static const void *address_of(uint32_t index)
{
	uintptr_t arena = (uintptr_t)(index % ARENAS + 1) << 32;
	return (const void *)(arena + (uintptr_t)(index / ARENAS) * STRIDE + 16);
}

// Labels of every length, most of them short.
static void write_label(char *label, uint32_t index)
{
	snprintf(label, QS_LABEL_BYTES, "com.example.queue.%u%.*s", index, index % 64 == 0 ? (int)(index / 64 % 90) : 0,
		"..........................................................................................");
}

// Above 32 bits, as after days of a program that creates many queues.
static uint64_t serial_of(uint32_t index)
{
	return (1ull << 32) + index;
}

static void add(uint32_t index)
{
	struct qs_object_info info = {.kind = qs_object_kind_queue, .serial = serial_of(index)};
	write_label(info.label, index);
	qs_object_add(address_of(index), &info);
}

static void check(uint32_t index, bool is_there)
{
	struct qs_object_info info;
	char label[QS_LABEL_BYTES];
	write_label(label, index);
	require(qs_object_find(address_of(index), &info) == is_there, "an object is missing or left");
	if (!is_there) return;
	require(qs_object_id(&info) == serial_of(index) && strcmp(info.label, label) == 0, "an object has changed");
}

static double mean_position(void)
{
	uint64_t steps = 0;
	for (uint32_t index = 0; index < OBJECTS; index++) {
		const void *object = address_of(index);
		const struct qs_object_info *entry = *bucket_of(object);
		for (steps++; entry->object != object; steps++) entry = entry->next;
	}
	return (double)steps / OBJECTS;
}

static long resident_bytes(void)
{
	long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	require(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2, "no statm");
	fclose(file);
	return resident * 4096;
}

int main(void)
{
	// While no session records, nothing is added.
	long before = resident_bytes();
	for (uint32_t index = 0; index < OBJECTS; index++) add(index);
	require(resident_bytes() - before < 1 << 20, "an object takes memory without a session");
	qs_gate.epoch = 1;
	check(1, false);

	before = resident_bytes();
	for (uint32_t index = 0; index < OBJECTS; index++) add(index);
	long bytes = (resident_bytes() - before) / OBJECTS;
	for (uint32_t index = 0; index < OBJECTS; index++) check(index, true);
	require(mean_position() < 2, "the lists are long");
	require(bytes < 150, "an object takes too much memory");

	// A longer label takes another entry.
	struct qs_object_info longer;
	require(qs_object_find(address_of(1), &longer), "an object is missing or left");
	memset(longer.label, 'x', QS_LABEL_BYTES - 1);
	longer.label[QS_LABEL_BYTES - 1] = 0;
	qs_object_add(address_of(1), &longer);
	struct qs_object_info found;
	require(qs_object_find(address_of(1), &found) && strcmp(found.label, longer.label) == 0, "a label was cut");

	qs_object_note_target(address_of(1), serial_of(2));
	require(qs_object_find(address_of(1), &found) && found.target == serial_of(2), "a target was cut");

	// Every object is defined once.
	uint32_t bucket = 0, defined = 0;
	while (qs_object_next_undefined(1, &bucket, &found)) defined++;
	require(defined == OBJECTS, "an object was not defined once");

	for (uint32_t index = 0; index < OBJECTS; index += 2) {
		require(qs_object_remove(address_of(index), &found), "an object is missing or left");
	}
	for (uint32_t index = 2; index < OBJECTS; index++) check(index, index % 2 != 0);
	for (uint32_t index = 0; index < OBJECTS; index += 2) add(index);
	for (uint32_t index = 2; index < OBJECTS; index++) check(index, true);

	// The next session starts without objects, and the end of a session returns the memory.
	qs_gate.epoch = 2;
	check(1, false);
	check(2, false);
	for (uint32_t index = 0; index < OBJECTS; index++) add(index);
	for (uint32_t index = 0; index < OBJECTS; index++) check(index, true);
	qs_gate.epoch = 0;
	qs_objects_forget();
	require(resident_bytes() - before < 4 << 20, "the end of a session kept the memory of its objects");
	puts("ok");
	return 0;
}
