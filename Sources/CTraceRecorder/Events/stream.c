#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "../Gate/thread_guard.h"
#include "../System/memory_limit.h"
#include "../System/tagged_list.h"
#include "CTraceRecorder.h"
#include "identity.h"
#include "recorder.h"

_Static_assert(QS_USUAL_MEMORY / QS_SEGMENT * QS_SEGMENT_STREAMS >= QS_MAX_STREAMS, "records for all streams");
_Static_assert(QS_MAX_STREAMS < QS_SHARED_FIRST_STREAM, "no number of the second recorder");
_Static_assert(QS_SHARED_FIRST_STREAM + QS_MAX_STREAMS < QS_OVERWRITTEN_STREAM, "a number of no other stream");

struct qs_stream qs_definitions_stream;
struct qs_lock qs_definitions_lock;

const struct qs_stream qs_no_stream = {.writing = 1};
__thread struct qs_stream *qs_thread_stream __attribute__((tls_model("initial-exec"))) =
	(struct qs_stream *)&qs_no_stream;

// Its destructor returns the stream of a thread that ends to the free list.
static pthread_key_t exit_key;
static bool has_exit_key;

static const struct qs_thread_listener *listener;

// Not from malloc: the program's allocator may be the traced code. The system provides only the pages that are used.
// Kept for the life of the process, because threads have pointers to streams.
static struct qs_stream *streams;
static uint32_t stream_count; // atomic
// Free streams, as a list by index (tagged_list.h).
static uint64_t free_streams; // atomic
// Free streams whose chunk was freed. The recorder thread moves one stream at a time to it.
static uint64_t drained_streams; // atomic

// No thread has joined the session since the last qs_streams_watch.
static bool is_watching; // atomic
static uint64_t closed_events; // atomic: events of the packets that qs_streams_count_closed counted

// This thread's stream was returned at the thread's end. An event of a later destructor must not take another one,
// because the system may not run the destructor that returns it.
static __thread bool has_ended __attribute__((tls_model("initial-exec")));

// Session of the stream that this thread gave up by qs_stream_leave: its thread_start is in the trace. 0: none.
static __thread uint32_t left_session __attribute__((tls_model("initial-exec")));

struct qs_stream *qs_stream_at(uint32_t index)
{
	return &streams[index - 1];
}

uint32_t qs_streams_count(void)
{
	return __atomic_load_n(&stream_count, __ATOMIC_ACQUIRE);
}

// MARK: Owners

static uint32_t *next_of(uint32_t index)
{
	return &qs_stream_at(index)->next_free;
}

static void push(uint64_t *list, struct qs_stream *stream)
{
	qs_tagged_list_push(list, stream->index, &stream->next_free);
}

static struct qs_stream *pop(uint64_t *list)
{
	uint32_t index = qs_tagged_list_pop(list, next_of);
	return index != 0 ? qs_stream_at(index) : NULL;
}

struct qs_stream *qs_stream_take_free(void)
{
	return pop(&free_streams);
}

void qs_stream_give_back(struct qs_stream *stream)
{
	__atomic_store_n(&stream->kind, QS_STREAM_THREAD, __ATOMIC_RELAXED);
	push(&free_streams, stream);
}

void qs_stream_give_back_drained(struct qs_stream *stream)
{
	push(&drained_streams, stream);
}

// Takes a free stream, or creates one.
static struct qs_stream *take_stream(void)
{
	struct qs_stream *stream = qs_stream_take_free();
	if (stream == NULL) stream = pop(&drained_streams);
	if (stream != NULL) return stream;
	uint32_t count = __atomic_load_n(&stream_count, __ATOMIC_RELAXED);
	do {
		if (count == QS_MAX_STREAMS) return NULL;
	} while (!__atomic_compare_exchange_n(&stream_count, &count, count + 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
	stream = qs_stream_at(count + 1);
	stream->index = count + 1;
	return stream;
}

// MARK: Packets

void qs_stream_discard(struct qs_stream *stream)
{
	// The arena's counter comes first: the process may be killed between the two, and the counter in a packet of the
	// file must not exceed the one in the arena. Both are atomic additions, because the recorder thread counts too.
	if (stream->packet != NULL) __atomic_fetch_add(&qs_arena_record(stream->index)->discarded, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stream->discarded, 1, __ATOMIC_RELEASE);
}

// Whether events of the stream for which there is no memory count as overwritten. The recording then begins again after
// them, as if they had been overwritten with all earlier ones. Definitions are never overwritten.
static bool is_overwritten(const struct qs_stream *stream)
{
	return qs_arena_is_ring() && stream != &qs_definitions_stream;
}

void qs_stream_lose(struct qs_stream *stream, uint64_t time)
{
	if (is_overwritten(stream)) qs_arena_note_overwritten(time);
	else qs_stream_discard(stream);
}

// Makes a chunk the current one.
static void use_chunk(struct qs_stream *stream, uint32_t chunk, uint64_t time)
{
	struct qs_packet *packet = (struct qs_packet *)qs_chunk_memory(chunk);
	struct qs_chunk *entry = qs_chunk_entry(chunk);
	packet->magic = QS_PACKET_MAGIC;
	memcpy(packet->uuid, qs_identity.uuid, sizeof packet->uuid);
	packet->stream_id = 0;
	packet->stream_instance_id = qs_identity.first_stream + stream->index;
	packet->timestamp_begin = time;
	packet->tid = stream->tid;
	packet->event_count = 0;
	__atomic_store_n(&packet->timestamp_end, time, __ATOMIC_RELAXED);
	__atomic_store_n(&packet->content_size, qs_content(QS_PACKET_HEAD, 0), __ATOMIC_RELAXED);
	entry->order = ++stream->order;
	__atomic_store_n(&entry->stream, stream->index + 1, __ATOMIC_RELEASE);
	uint32_t last = stream->chunk;
	if (stream->packet != NULL) {
		uint64_t events = stream->events + qs_content_events(stream->packet->content_size);
		__atomic_store_n(&stream->events, events, __ATOMIC_RELAXED);
	}
	stream->chunk = chunk;
	stream->packet = packet;
	stream->cursor = packet->events;
	stream->limit = (unsigned char *)packet + entry->bytes - QS_STORE_SLACK;
	stream->last_time = time;
	// Pairs with the loads of the copier.
	if (last != 0) __atomic_store_n(&qs_chunk_entry(last)->next, chunk, __ATOMIC_RELEASE);
	else __atomic_store_n(&stream->first, chunk, __ATOMIC_RELEASE);
}

void qs_streams_count_closed(const struct qs_packet *packet)
{
	uint64_t events = qs_content_events(__atomic_load_n(&packet->content_size, __ATOMIC_RELAXED));
	__atomic_fetch_add(&closed_events, events, __ATOMIC_RELAXED);
}

uint64_t qs_streams_events(enum qs_stream_kind kind)
{
	uint64_t events = kind == QS_STREAM_THREAD ? __atomic_load_n(&closed_events, __ATOMIC_RELAXED) : 0;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		const struct qs_stream *stream = qs_stream_at(index);
		if (__atomic_load_n(&stream->kind, __ATOMIC_RELAXED) != kind) continue;
		events += __atomic_load_n(&stream->events, __ATOMIC_RELAXED);
		if (__atomic_load_n(&stream->epoch, __ATOMIC_RELAXED) == QS_EPOCH_CLOSED) continue;
		// Memory of the arena, which stays mapped during the session.
		const struct qs_packet *packet = __atomic_load_n(&stream->packet, __ATOMIC_RELAXED);
		if (packet == NULL) continue;
		events += qs_content_events(__atomic_load_n(&packet->content_size, __ATOMIC_RELAXED));
	}
	return events;
}

bool qs_stream_next_packet(struct qs_stream *stream, size_t need, uint64_t time)
{
	size_t bytes = QS_PACKET_HEAD + need + QS_STORE_SLACK;
	if (bytes > QS_LARGE_CHUNK) return false;
	bool fits_small = bytes <= QS_SMALL_CHUNK;
	// Small at first, and after the recorder thread has closed the last one: most threads record little.
	bool is_first = stream->chunk == 0;
	uint32_t chunk = qs_chunk_take(is_first && fits_small ? QS_SMALL_CHUNK : QS_LARGE_CHUNK);
	if (chunk == 0 && !is_first && fits_small) chunk = qs_chunk_take(QS_SMALL_CHUNK);
	qs_chunk_note_taken();
	if (chunk == 0) return false;
	use_chunk(stream, chunk, time);
	return true;
}

// Adds an owner record: another thread continues in the stream's chunk.
static bool add_owner(struct qs_stream *stream, uint64_t time)
{
	if (stream->cursor + sizeof(struct qs_owner) > stream->limit + QS_STORE_SLACK) return false;
	struct qs_packet *packet = stream->packet;
	uint32_t number = __atomic_load_n(&packet->event_count, __ATOMIC_RELAXED);
	struct qs_owner *owner = qs_packet_owner(packet, qs_chunk_entry(stream->chunk)->bytes, number);
	*owner = (struct qs_owner){
		.offset = (uint16_t)(stream->cursor - (unsigned char *)packet),
		.events = (uint16_t)qs_content_events(packet->content_size),
		.tid = stream->tid,
		.time = time,
	};
	stream->limit = (unsigned char *)owner - QS_STORE_SLACK;
	stream->last_time = time;
	// Before the new owner's first event counts.
	__atomic_store_n(&packet->event_count, number + 1, __ATOMIC_RELEASE);
	return true;
}

bool qs_stream_set_stage(struct qs_stream *stream)
{
	stream->packet = NULL;
	stream->cursor = NULL;
	stream->limit = NULL;
	if (stream->stage != NULL) return true;
	void *stage = mmap(NULL, QS_STAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stage == MAP_FAILED) return false;
	stream->stage = stage;
	return true;
}

bool qs_stream_open(struct qs_stream *stream, enum qs_stream_kind kind, uint32_t tid, uint64_t time)
{
	__atomic_store_n(&stream->kind, (uint8_t)kind, __ATOMIC_RELAXED);
	__atomic_store_n(&stream->tid, tid, __ATOMIC_RELAXED);
	if (qs_identity.lttng != NULL) return qs_stream_set_stage(stream);
	if (!qs_arena_has_record(stream->index)) return false;
	// A stream's time never decreases.
	if (stream->chunk != 0 && (int64_t)(time - stream->last_time) < 0) time = stream->last_time;
	bool is_open = (stream->chunk != 0 && add_owner(stream, time)) || qs_stream_next_packet(stream, 0, time);
	if (is_open) qs_arena_record(stream->index)->kind = kind;
	return is_open;
}

// MARK: Threads

static void get_name(uint64_t *name)
{
	char text[16] = "";
	if (!qs_thread_is_sandboxed) prctl(PR_GET_NAME, text);
	else memcpy(text, (const void *)qs_thread_stream->name, sizeof text);
	memcpy(name, text, sizeof text);
}

bool qs_stream_has_name(const struct qs_stream *stream, const uint64_t *name)
{
	return name[0] == __atomic_load_n(&stream->name[0], __ATOMIC_RELAXED)
		&& name[1] == __atomic_load_n(&stream->name[1], __ATOMIC_RELAXED);
}

void qs_stream_set_name(struct qs_stream *stream, const uint64_t *name)
{
	for (int word = 0; word < 2; word++) __atomic_store_n(&stream->name[word], name[word], __ATOMIC_RELAXED);
}

static void leave_stream(void)
{
	qs_thread_stream = (struct qs_stream *)&qs_no_stream;
}

void qs_stream_leave(struct qs_stream *stream)
{
	left_session = stream->session;
	leave_stream();
	if (has_exit_key) pthread_setspecific(exit_key, NULL);
	__atomic_store_n(&stream->in_use, false, __ATOMIC_RELAXED);
	// No stop waits for the event.
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
}

// Runs when a thread that has a stream ends.
static void thread_ends(void *value)
{
	struct qs_stream *stream = value;
	// A child of _Fork would write into its parent's packet.
	qs_recorder_leave_to_parent();
	// Other destructors release queues, and these events belong into this thread's stream. So this destructor asks to
	// run again, as often as the system repeats destructors.
	if (++stream->endings < PTHREAD_DESTRUCTOR_ITERATIONS - 1 && pthread_setspecific(exit_key, stream) == 0) return;
	uint64_t name[2];
	get_name(name);
	// The name may have been set after the first event.
	listener->ends(stream->tid, qs_stream_has_name(stream, name) ? NULL : name);
	bool was_inside = qs_thread_inside;
	qs_thread_inside = true; // a signal handler on this thread must not attach it again
	leave_stream();
	has_ended = true;
	__atomic_store_n(&stream->in_use, false, __ATOMIC_RELAXED);
	qs_stream_give_back(stream);
	qs_thread_inside = was_inside;
}

bool qs_streams_prepare(const struct qs_thread_listener *thread_listener)
{
	listener = thread_listener;
	if (!has_exit_key) has_exit_key = pthread_key_create(&exit_key, thread_ends) == 0;
	if (streams != NULL) return true;
	void *memory = mmap(NULL, (QS_MAX_STREAMS + QS_SPARE_STREAMS) * sizeof *streams, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) return false;
	streams = memory;
	return true;
}

void qs_streams_reset(void)
{
	__atomic_store_n(&is_watching, false, __ATOMIC_RELAXED);
	for (uint32_t index = 1; index <= stream_count; index++) {
		struct qs_stream *stream = qs_stream_at(index);
		// Skips a writer that was stopped in the middle of an event of an earlier session.
		if (__atomic_load_n(&stream->writing, __ATOMIC_ACQUIRE) == 0) stream->packet = NULL;
		stream->chunk = 0;
		stream->order = 0;
		stream->first = 0;
		stream->discarded = 0;
		stream->events = 0;
		stream->stratum = (struct qs_item_stratum){0};
		stream->copy = (struct qs_copy){0};
	}
	__atomic_store_n(&closed_events, 0, __ATOMIC_RELAXED);
}

void qs_streams_forget(void)
{
	for (uint32_t index = 1; streams != NULL && index <= stream_count + QS_SPARE_STREAMS; index++) {
		struct qs_stream *stream = qs_stream_at(index);
		// A signal handler forked in the middle of an event, which is finished after the handler.
		if (stream == qs_thread_stream && stream->writing) continue;
		unsigned char *stage = stream->stage;
		*stream = (struct qs_stream){.stage = stage};
	}
	leave_stream();
	is_watching = false;
	has_ended = false;
	stream_count = 0;
	free_streams = 0;
	drained_streams = 0;
}

// Runs with `writing` set, so that the session cannot stop at the same time.
static bool join_session(struct qs_stream *stream, bool *is_lost)
{
	__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst); // pairs with the membarrier in qs_session_stop
	uint32_t epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_ACQUIRE);
	// Pairs with the exchanges in qs_streams_watch, and in suspend_owner and close_chunk of quiet_threads.c.
	if (__atomic_exchange_n(&stream->epoch, QS_EPOCH_JOINING, __ATOMIC_ACQ_REL) == QS_EPOCH_CLOSED) {
		stream->chunk = 0;
		stream->packet = NULL;
	}
	bool is_open = epoch != 0 && qs_stream_open(stream, QS_STREAM_THREAD, qs_current_tid(), qs_clock_now());
	// Otherwise there is no room for another stream, or the session has stopped.
	bool lacks_memory = !is_open && epoch != 0 && qs_arena_has_record(stream->index);
	*is_lost = !lacks_memory || !is_overwritten(stream);
	if (!*is_lost) qs_arena_note_overwritten(qs_clock_now());
	if (is_open) stream->session = epoch;
	bool has_epoch = is_open && qs_identity.lttng == NULL;
	__atomic_store_n(&stream->epoch, has_epoch ? epoch : QS_NO_EPOCH, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
	return is_open;
}

void qs_streams_watch(void)
{
	// Before the epochs: a thread that has to join the session sees it.
	__atomic_store_n(&is_watching, true, __ATOMIC_RELEASE);
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		uint32_t epoch = qs_identity.epoch;
		// Pairs with the exchange in join_session.
		__atomic_compare_exchange_n(
			&qs_stream_at(index)->epoch, &epoch, QS_EPOCH_WATCHED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	}
}

bool qs_streams_are_quiet(void)
{
	return __atomic_load_n(&is_watching, __ATOMIC_ACQUIRE);
}

static void wake_recorder_thread(void)
{
	// Load first: all threads share this line.
	if (!__atomic_load_n(&is_watching, __ATOMIC_RELAXED)) return;
	if (__atomic_exchange_n(&is_watching, false, __ATOMIC_ACQ_REL)) qs_recorder_wake();
}

struct qs_stream *qs_stream_attach(bool *is_lost)
{
	*is_lost = true;
	if (has_ended) return NULL;
	int saved_errno = errno;
	qs_thread_inside = true;
	bool is_new = qs_own_stream() == NULL;
	struct qs_stream *stream = is_new ? take_stream() : qs_thread_stream;
	uint32_t former = is_new ? left_session : stream->session;
	if (stream != NULL && !join_session(stream, is_lost)) {
		if (is_new) qs_stream_give_back(stream);
		stream = NULL;
	}
	if (stream != NULL) {
		if (is_new) {
			stream->endings = 0;
			if (has_exit_key) pthread_setspecific(exit_key, stream);
			qs_thread_stream = stream;
		}
		__atomic_store_n(&stream->in_use, true, __ATOMIC_RELEASE);
	}
	bool is_back = stream != NULL && stream->session == former; // to the session that has its thread_start
	uint64_t name[2];
	if (stream != NULL && (!is_back || is_new)) {
		get_name(name);
		qs_stream_set_name(stream, name);
		__atomic_store_n(&stream->name_looks, 0, __ATOMIC_RELAXED);
	}
	qs_thread_inside = false;
	if (stream != NULL) wake_recorder_thread();
	if (stream != NULL && !is_back) listener->starts(stream->tid, name);
	errno = saved_errno;
	return stream;
}

struct qs_stream *qs_stream_make_for_kernel(void)
{
	struct qs_stream *stream = take_stream();
	if (stream == NULL) return NULL;
	stream->epoch = QS_NO_EPOCH;
	if (qs_stream_open(stream, QS_STREAM_KERNEL, 0, qs_clock_now())) return stream;
	qs_stream_give_back(stream);
	return NULL;
}
