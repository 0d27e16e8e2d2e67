#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "event_writing.h"
#include "processor_track.h"
#include "session.h"

__thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));

// Its destructor gives the stream of a thread that ends to the next one that starts.
static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
static bool has_exit_key;

void qs_stream_discard(struct qs_stream *stream)
{
	uint64_t discarded = __atomic_add_fetch(&stream->discarded, 1, __ATOMIC_RELAXED);
	if (stream->packet != NULL) stream->packet->events_discarded = discarded;
}

// Makes a mapped packet the current one.
static void use_packet(struct qs_stream *stream, struct qs_packet *packet, uint32_t bytes, uint64_t time)
{
	memcpy(packet->uuid, qs_session.uuid, sizeof packet->uuid);
	packet->stream_id = 0;
	packet->stream_instance_id = stream->number;
	packet->timestamp_begin = time;
	packet->timestamp_end = time;
	packet->content_size = (uint64_t)QS_PACKET_HEAD * 8;
	packet->packet_size = (uint64_t)bytes * 8;
	packet->packet_seq_num = stream->sequence++;
	packet->events_discarded = __atomic_load_n(&stream->discarded, __ATOMIC_RELAXED);
	packet->tid = stream->tid;
	__atomic_store_n(&packet->magic, QS_PACKET_MAGIC, __ATOMIC_RELEASE);
	stream->packet = packet;
	stream->cursor = packet->events;
	stream->packet_bytes = bytes;
	stream->limit = (unsigned char *)packet + (bytes == QS_FIRST_PACKET_SIZE ? (uint32_t)QS_PAGE_SIZE : bytes);
	stream->last_time = time;
	__atomic_fetch_add(&qs_session.bytes, bytes, __ATOMIC_RELAXED);
	__atomic_store_n(&stream->next_offset, stream->next_offset + bytes, __ATOMIC_RELEASE);
}

// Hands a full packet over for unmapping, or unmaps it here when the supply thread is behind.
static void retire_packet(struct qs_stream *stream, struct qs_packet *packet, uint32_t bytes)
{
	if (packet == NULL) return;
	qs_word_unmap(__atomic_exchange_n(&stream->retired, qs_retired_word(packet, bytes), __ATOMIC_ACQ_REL));
}

void qs_word_unmap(uintptr_t word)
{
	if (word != 0) munmap(qs_word_packet(word), qs_word_bytes(word));
}

struct qs_packet *qs_stream_take_prepared(struct qs_stream *stream, uint64_t offset, uint32_t *bytes)
{
	uintptr_t word = __atomic_exchange_n(&stream->prepared, 0, __ATOMIC_ACQUIRE);
	if (word == 0) return NULL;
	if ((word & (QS_PAGE_SIZE - 1)) == qs_prepared_tag(offset)) {
		*bytes = qs_word_bytes(word);
		return qs_word_packet(word);
	}
	qs_word_unmap(word); // this thread was faster and mapped its packet itself
	return NULL;
}

// How large the packet after the next should be, from how long the current one took to fill.
static void choose_size(struct qs_stream *stream)
{
	int64_t now = qs_clock_system(CLOCK_MONOTONIC);
	bool is_quick = now - stream->packet_since_ns < QS_QUICK_NS;
	stream->packet_since_ns = now;
	bool is_first = stream->packet == NULL || stream->packet_bytes == QS_FIRST_PACKET_SIZE;
	uint32_t bytes = is_first ? (uint32_t)QS_PACKET_SIZE : stream->packet_bytes;
	if (!is_first && is_quick) {
		if (bytes < (uint32_t)QS_PACKET_SIZE << QS_PACKET_DOUBLINGS) bytes *= 2;
	} else if (bytes > QS_PACKET_SIZE) {
		bytes /= 2;
	}
	__atomic_store_n(&stream->next_bytes, bytes, __ATOMIC_RELAXED);
}

// `bytes`: of the packet, if this thread has to map it itself.
static bool take_packet(struct qs_stream *stream, uint32_t bytes, uint64_t time)
{
	if (stream->retry_time != 0 && time < stream->retry_time) return false;
	int saved_errno = errno;
	struct qs_packet *packet = qs_stream_take_prepared(stream, stream->next_offset, &bytes);
	if (packet == NULL) packet = qs_packet_map(stream, stream->next_offset, bytes, true);
	if (packet != NULL) {
		stream->retry_time = 0;
		choose_size(stream);
		struct qs_packet *full = stream->packet;
		uint32_t full_bytes = stream->packet_bytes;
		use_packet(stream, packet, bytes, time);
		retire_packet(stream, full, full_bytes);
		if (bytes != QS_FIRST_PACKET_SIZE) qs_supply_request(stream);
	} else {
		// The disk or the limit is full. Looking again costs system calls, so not with every event.
		stream->retry_time = time + QS_RETRY_TICKS;
	}
	errno = saved_errno;
	return packet != NULL;
}

bool qs_stream_next_packet(struct qs_stream *stream, uint64_t time)
{
	// The kernel's events are short, and its streams open with the first of them.
	bool is_first_of_kernel = stream->is_of_kernel && stream->sequence == 0;
	return take_packet(stream, is_first_of_kernel ? QS_FIRST_PACKET_SIZE : QS_PACKET_SIZE, time);
}

void qs_stream_ask_ahead(struct qs_stream *stream)
{
	if (stream->packet == NULL) return;
	unsigned char *end = (unsigned char *)stream->packet + stream->packet_bytes;
	if (stream->limit == end) return;
	stream->limit = end;
	int saved_errno = errno;
	qs_supply_request(stream);
	errno = saved_errno;
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

bool qs_stream_open(struct qs_stream *stream, uint32_t tid, uint64_t time)
{
	stream->tid = tid;
	if (qs_session.lttng != NULL) return qs_stream_set_stage(stream);
	stream->retry_time = 0;
	stream->packet = NULL;
	// No packet means no room.
	stream->cursor = NULL;
	stream->limit = NULL;
	return take_packet(stream, QS_FIRST_PACKET_SIZE, time);
}

void qs_stream_close_packet(struct qs_stream *stream)
{
	struct qs_packet *packet = stream->packet;
	if (packet == NULL) return;
	uint64_t used = (uint64_t)(stream->cursor - (unsigned char *)packet);
	uint64_t rounded = (used + QS_PAGE_SIZE - 1) / QS_PAGE_SIZE * QS_PAGE_SIZE;
	packet->packet_size = rounded * 8;
	// The next packet follows on the next page; what was prepared behind this one no longer fits and is found stale.
	__atomic_store_n(&stream->next_offset, stream->next_offset - stream->packet_bytes + rounded, __ATOMIC_RELEASE);
	__atomic_fetch_sub(&qs_session.bytes, stream->packet_bytes - rounded, __ATOMIC_RELAXED);
	stream->packet = NULL;
	stream->cursor = NULL;
	stream->limit = NULL;
	munmap(packet, stream->packet_bytes);
}

bool qs_stream_leave_tail(struct qs_stream *stream)
{
	if (stream->packet == NULL) return false;
	uint32_t bytes = 0;
	struct qs_packet *prepared = qs_stream_take_prepared(stream, stream->next_offset, &bytes);
	size_t used = (size_t)(stream->cursor - (unsigned char *)stream->packet);
	if (stream->packet_bytes - used + bytes > QS_LEFT_AT_EXIT) {
		if (prepared != NULL) munmap(prepared, bytes);
		return false;
	}
	// Without its head a reader would take it for damage.
	if (prepared != NULL) use_packet(stream, prepared, bytes, stream->last_time);
	struct stat status;
	return lstat(stream->path, &status) == 0 && (uint64_t)status.st_size == stream->next_offset;
}

// Runs when a thread that has a stream ends.
static void thread_ends(void *value)
{
	struct qs_stream *stream = value;
	// Other destructors release queues, which belongs into this thread's stream: let them go first, as often as the system tries again.
	if (++stream->endings < PTHREAD_DESTRUCTOR_ITERATIONS - 1 && pthread_setspecific(exit_key, stream) == 0) return;
	char name[16] = "";
	prctl(PR_GET_NAME, name);
	// A name that was given after the first event.
	if (strncmp(name, stream->name, sizeof name) != 0) qs_record_thread_start(stream->tid, name, strlen(name));
	qs_processor_track_thread_ends();
	qs_record_thread_exit(stream->tid);
	bool was_inside = qs_thread_inside;
	qs_thread_inside = true;
	pthread_mutex_lock(&qs_session.lock);
	__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED); // a signal handler on this thread gives up; under the lock, or a stop would wait for it
	atomic_signal_fence(memory_order_seq_cst);
	if (qs_is_recording() && stream->epoch == qs_session_epoch) qs_stream_close_packet(stream);
	qs_thread_stream = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
	stream->in_use = false;
	pthread_mutex_unlock(&qs_session.lock);
	qs_thread_inside = was_inside;
}

static void make_exit_key(void)
{
	has_exit_key = pthread_key_create(&exit_key, thread_ends) == 0;
}

static struct qs_stream *make_stream(uint32_t epoch, bool is_of_kernel)
{
	// Not malloc: the program's allocator may be what is being traced. Streams are few and never freed.
	struct qs_stream *stream =
		mmap(NULL, sizeof *stream, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stream == MAP_FAILED) return NULL;
	stream->number = ++qs_session.stream_count;
	stream->epoch = epoch;
	stream->is_of_kernel = is_of_kernel;
	stream->in_use = is_of_kernel;
	qs_stream_set_path(stream);
	stream->next = qs_session.streams;
	__atomic_store_n(&qs_session.streams, stream, __ATOMIC_RELEASE);
	return stream;
}

struct qs_stream *qs_stream_make_for_kernel(void)
{
	return make_stream(QS_NO_EPOCH, true);
}

// A stream that no thread uses, or a new one. The session's lock is held.
static struct qs_stream *find_stream(void)
{
	for (struct qs_stream *stream = qs_session.streams; stream != NULL; stream = stream->next) {
		if (!stream->in_use) return stream;
	}
	return make_stream(qs_session.lttng != NULL ? QS_NO_EPOCH : qs_session.epoch, false);
}

struct qs_stream *qs_stream_attach(void)
{
	uint64_t time = qs_clock_now();
	if (time < __atomic_load_n(&qs_session.retry_time, __ATOMIC_RELAXED)) return NULL;
	int saved_errno = errno;
	qs_thread_inside = true;
	pthread_once(&exit_key_once, make_exit_key);
	pthread_mutex_lock(&qs_session.lock);
	struct qs_stream *stream = qs_is_recording() ? find_stream() : NULL;
	if (stream != NULL) {
		// Read again: while this thread waited for the lock, the stream's last thread may have recorded until after `time`.
		time = qs_clock_now();
		stream->in_use = qs_stream_open(stream, qs_current_tid(), time);
		if (!stream->in_use) {
			// The disk or the limit is full. The threads without a stream look again later, not with every event.
			__atomic_store_n(&qs_session.retry_time, time + QS_RETRY_TICKS, __ATOMIC_RELAXED);
			stream = NULL;
		}
	}
	pthread_mutex_unlock(&qs_session.lock);
	qs_thread_inside = false;
	if (stream != NULL) {
		stream->endings = 0;
		if (has_exit_key) pthread_setspecific(exit_key, stream);
		qs_thread_stream = stream;
		memset(stream->name, 0, sizeof stream->name);
		prctl(PR_GET_NAME, stream->name);
		qs_record_thread_start(stream->tid, stream->name, strnlen(stream->name, sizeof stream->name));
	}
	errno = saved_errno;
	return stream;
}
