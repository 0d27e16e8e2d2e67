#include "generations.h"

#include "../Definitions/definitions_number.h"
#include "../Events/stream.h"
#include "../Gate/thread_guard.h"
#include "CTraceRecorder.h"
#include "copier.h"
#include "overwriting.h"
#include "trace_size.h"

enum {
	// Two generations take the part of the limit for definitions, besides the definitions of what exists at their
	// begins.
	LIMIT_PARTS = 2 * QS_DEFINITIONS_PART,
	// A generation is at least this many times as long as its first part, so that repeating costs little.
	LEAST_LENGTH = 4,
	LEAST_PACKETS = 2, // see qs_overwrite_before
};

// Only for the recorder thread, except at the start.
static struct {
	uint64_t most;              // bytes of new definitions per generation; 0: one generation without an end
	struct qs_packet_end begin; // of the current generation
	uint64_t filled;            // offset of its first new definition
	uint32_t filler;            // atomic: id of the thread that is filling a generation, 0: none
} generations;

void qs_generations_start(uint64_t limit)
{
	generations.most = limit / LIMIT_PARTS;
	generations.begin = (struct qs_packet_end){0};
	generations.filled = 0;
	__atomic_store_n(&generations.filler, 0, __ATOMIC_RELAXED);
}

static bool is_complete(const struct qs_copied *done)
{
	if (generations.most == 0 || done->packets < generations.begin.packets + LEAST_PACKETS) return false;
	uint64_t least = (generations.filled - generations.begin.offset) * LEAST_LENGTH;
	return done->file_end - generations.filled >= (least > generations.most ? least : generations.most);
}

bool qs_generation_begin(void)
{
	const struct qs_copied *done = &qs_definitions_stream.copy.done;
	if (!is_complete(done)) return false;
	if (generations.begin.offset != 0) {
		uint64_t removed = qs_overwrite_before(&qs_definitions_stream, &generations.begin);
		if (removed == 0) return false; // a reader has the trace open
		qs_trace_size_remove_definitions(removed);
	}
	qs_copier_run(QS_COPY_FULL_CHUNKS);
	generations.begin = (struct qs_packet_end){done->file_end, done->packets, done->last_packet};
	generations.filled = done->file_end;
	qs_definitions_begin();
	return true;
}

void qs_generation_fill(void (*define)(void))
{
	__atomic_store_n(&generations.filler, qs_current_tid(), __ATOMIC_RELAXED);
	qs_thread_inside = false;
	define();
	qs_thread_inside = true;
	__atomic_store_n(&generations.filler, 0, __ATOMIC_RELAXED);
	qs_copier_run(QS_COPY_FULL_CHUNKS);
	generations.filled = qs_definitions_stream.copy.done.file_end;
}

void qs_generation_make_room(void)
{
	if (__atomic_load_n(&generations.filler, __ATOMIC_RELAXED) != qs_current_tid()) return;
	qs_thread_inside = true;
	qs_copier_run(QS_COPY_FULL_CHUNKS);
	qs_thread_inside = false;
}
