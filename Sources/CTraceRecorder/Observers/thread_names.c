#include "thread_names.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/stream.h"
#include "../Gate/thread_guard.h"

enum {
	LOOKS = 2,
	NAME_BYTES = 16,
};

static const int64_t FIRST_LOOK_NS = 100 * 1000 * 1000;
static const int64_t SECOND_LOOK_NS = 1000 * 1000 * 1000;

static struct {
	bool has_new; // atomic
	int64_t due_ns;
} names;

void qs_thread_names_note_start(void)
{
	__atomic_store_n(&names.has_new, true, __ATOMIC_RELAXED);
}

static bool read_name(uint32_t tid, uint64_t *name)
{
	char path[40], text[NAME_BYTES + 1] = "";
	snprintf(path, sizeof path, "/proc/self/task/%u/comm", tid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	ssize_t count = read(file, text, NAME_BYTES);
	close(file);
	if (count <= 0) return false;
	char *end = memchr(text, '\n', (size_t)count);
	if (end != NULL) memset(end, 0, (size_t)(text + NAME_BYTES - end));
	memcpy(name, text, NAME_BYTES);
	return true;
}

static void look(struct qs_stream *stream)
{
	uint64_t name[2];
	uint32_t tid = __atomic_load_n(&stream->tid, __ATOMIC_RELAXED);
	if (!read_name(tid, name) || qs_stream_has_name(stream, name)) return;
	qs_stream_set_name(stream, name);
	bool was_inside = qs_thread_inside;
	qs_thread_inside = false;
	qs_record_thread_start(tid, (const char *)name, strnlen((const char *)name, NAME_BYTES), 0, 0);
	qs_thread_inside = was_inside;
}

// Returns when the next look is due.
static int64_t look_at_new(int64_t now_ns)
{
	bool has_more = false;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		if (!__atomic_load_n(&stream->in_use, __ATOMIC_ACQUIRE)) continue;
		uint8_t looks = __atomic_load_n(&stream->name_looks, __ATOMIC_RELAXED);
		if (__atomic_load_n(&stream->kind, __ATOMIC_RELAXED) != QS_STREAM_THREAD || looks >= LOOKS) continue;
		look(stream);
		__atomic_store_n(&stream->name_looks, (uint8_t)(looks + 1), __ATOMIC_RELAXED);
		has_more |= looks + 1 < LOOKS;
	}
	return has_more ? now_ns + SECOND_LOOK_NS : INT64_MAX;
}

static void start(uint32_t starter_tid)
{
	(void)starter_tid;
	names.due_ns = INT64_MAX;
}

static int64_t tick(int64_t now_ns)
{
	if (!qs_is_recording() || qs_gate.clock_kind == QS_CLOCK_INJECTED) return INT64_MAX;
	bool has_new = __atomic_exchange_n(&names.has_new, false, __ATOMIC_RELAXED);
	if (has_new && names.due_ns > now_ns + FIRST_LOOK_NS) names.due_ns = now_ns + FIRST_LOOK_NS;
	if (now_ns >= names.due_ns) names.due_ns = look_at_new(now_ns);
	return names.due_ns;
}

const struct qs_observer qs_names_observer = {.start = start, .tick = tick};
