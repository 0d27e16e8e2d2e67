#include "trace_size.h"

#include <errno.h>

#include "../Events/stream.h"
#include "overwriting.h"
#include "trace_files.h"

static const uint64_t FLIGHT_LIMIT = 256 << 20;

static struct {
	uint64_t limit;   // bytes, 0: no limit
	bool overwrites;  // removes the oldest packets at the limit
	uint64_t events;  // bytes of events that were not removed again; without `overwrites` also of definitions
	uint64_t defined; // with `overwrites`: bytes of definitions that were not removed again
	uint64_t room;    // free bytes on the disk at the last check, less the bytes written since
} size;

uint64_t qs_trace_size_start(uint64_t limit, bool overwrites)
{
	size.limit = overwrites && limit == 0 ? FLIGHT_LIMIT : limit;
	size.overwrites = overwrites;
	size.events = 0;
	size.defined = 0;
	size.room = 0;
	return size.limit;
}

bool qs_trace_size_has_limit(void)
{
	return size.limit != 0;
}

// Whether the events may grow by this many bytes. A flight recorder keeps at least LEAST_PACKETS packets of each
// stream. While a reader has the trace open, nothing can be removed; the trace may then grow to twice its limit.
static bool is_within_limit(uint64_t bytes)
{
	enum { LEAST_PACKETS = 3, STEPS = 16 };
	if (size.limit == 0) return true;
	if (!size.overwrites) return size.events + bytes <= size.limit;
	uint64_t part = size.limit / QS_DEFINITIONS_PART;
	uint64_t rest = size.limit - (size.defined < part ? size.defined : part);
	uint64_t least = (uint64_t)qs_streams_count() * LEAST_PACKETS * QS_LARGE_CHUNK;
	uint64_t limit = rest > least ? rest : least;
	if (size.events + bytes <= limit) return true;
	uint64_t gone = qs_overwrite_oldest(bytes + limit / STEPS);
	size.events -= gone;
	size.room += gone;
	return size.events + bytes <= limit * 2;
}

static bool is_outside_limit(bool is_definition)
{
	return size.overwrites && is_definition;
}

int qs_trace_size_admit(uint64_t bytes, bool is_definition)
{
	if (!is_outside_limit(is_definition) && !is_within_limit(bytes)) return EDQUOT;
	if (size.room < bytes) size.room = qs_trace_files_room();
	return size.room < bytes ? ENOSPC : 0;
}

void qs_trace_size_add(uint64_t bytes, bool is_definition)
{
	*(is_outside_limit(is_definition) ? &size.defined : &size.events) += bytes;
	size.room -= bytes;
}

void qs_trace_size_remove_events(uint64_t bytes)
{
	size.events -= bytes;
	size.room += bytes;
}

void qs_trace_size_remove_definitions(uint64_t bytes)
{
	size.defined -= bytes;
	size.room += bytes;
}
