// The table of objects that a session has encountered, without the other hooks. Prints "ok" when each session looks up
// each object once, also after 65,536 sessions.
#include "../../../Sources/CDispatchInterposer/encounters.c"

#include <stdio.h>
#include <stdlib.h>

struct qs_gate qs_gate;
struct qs_helpers qs_helpers;
bool qs_queue_layout_is_known;

static uint32_t looked_up;

bool qs_object_find(const void *object, struct qs_object_info *copy)
{
	(void)object, (void)copy;
	looked_up++;
	return true;
}

// Not called.

uint32_t qs_definitions_number(void)
{
	return 0;
}

ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes)
{
	(void)from, (void)to, (void)bytes;
	return -1;
}

uint8_t qs_source_type_of(const void *type)
{
	(void)type;
	return 0;
}

void qs_object_add(const void *object, const struct qs_object_info *info)
{
	(void)object, (void)info;
}

void qs_object_set_label(struct qs_object_info *info, const char *label)
{
	(void)info, (void)label;
}

void qs_define_object(const struct qs_object_info *info)
{
	(void)info;
}

enum { SOURCE_BYTES = 256 };

static char source[SOURCE_BYTES];

static uint32_t look_ups_in(uint32_t session)
{
	qs_gate.epoch = session;
	looked_up = 0;
	for (int use = 0; use < 3; use++) qs_source_encounter(source);
	for (int use = 0; use < 3; use++) qs_queue_encounter(NULL, 100);
	return looked_up;
}

int main(void)
{
	static const uint32_t sessions[] = {1, 2, 2 + (1 << 16), 3 + (1 << 16), 3 + (5 << 16)};
	for (size_t index = 0; index < sizeof sessions / sizeof sessions[0]; index++) {
		uint32_t count = look_ups_in(sessions[index]);
		if (count != 2) printf("%u look-ups in session %u\n", count, sessions[index]);
		if (count != 2) return 1;
	}
	puts("ok");
	return 0;
}
