#define _GNU_SOURCE
#include "stack_capture.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/lost_events.h"
#include "../Gate/thread_guard.h"
#include "images.h"

enum { STACK_SLOTS = 4096, STACK_PROBES = 16 };

struct stack_slot {
	uint64_t hash;
	uint32_t epoch;
};

// Guarded by qs_stacks_lock.
static struct stack_slot slots[STACK_SLOTS];
static uint32_t overflow_number = STACK_SLOTS;
struct qs_lock qs_stacks_lock;

// For sessions that repeat definitions: all stacks so far, each as a number, a count and the frames. Stacks that do not
// fit are not defined again.
enum { KEPT_BYTES = 4 * 1024 * 1024 };

static uint64_t *kept; // allocated with the first stack
static size_t kept_words;
static uint32_t kept_epoch;

static void keep(uint32_t number, const uint64_t *frames, uint16_t count, uint32_t epoch)
{
	if (kept == NULL) {
		void *memory = mmap(NULL, KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED) return;
		kept = memory;
	}
	if (kept_epoch != epoch) kept_words = 0;
	kept_epoch = epoch;
	if ((kept_words + 1 + count) * sizeof *kept > KEPT_BYTES) return;
	kept[kept_words++] = (uint64_t)count << 32 | number;
	memcpy(kept + kept_words, frames, count * sizeof *frames);
	kept_words += count;
}

void qs_stacks_record_again(void)
{
	size_t end = 0;
	qs_thread_inside = true; // a signal handler must not wait for the lock
	if (qs_lock_take(&qs_stacks_lock)) {
		if (kept_epoch == qs_identity.epoch) end = kept_words;
		qs_lock_give_back(&qs_stacks_lock);
	}
	qs_thread_inside = false;
	// Kept stacks do not move.
	for (size_t position = 0; position < end;) {
		uint16_t count = (uint16_t)(kept[position] >> 32);
		qs_record_stack((uint32_t)kept[position], kept + position + 1, count);
		position += 1 + (size_t)count;
	}
}

// FNV-1a over the addresses.
static uint64_t hash_of(const uint64_t *frames, int count)
{
	uint64_t hash = 0xCBF29CE484222325u;
	for (int index = 0; index < count; index++) hash = (hash ^ frames[index]) * 0x100000001B3u;
	return hash != 0 ? hash : 1;
}

// Number of a stack, and whether its definition has to be written.
static uint32_t number_of(uint64_t hash, uint32_t epoch, bool *is_new)
{
	*is_new = true;
	for (uint32_t probe = 0; probe < STACK_PROBES; probe++) {
		uint32_t position = (uint32_t)((hash + probe) % STACK_SLOTS);
		struct stack_slot *slot = &slots[position];
		if (slot->epoch == epoch && slot->hash == hash) {
			*is_new = false;
			return position + 1;
		}
		if (slot->epoch == epoch) continue;
		slot->hash = hash;
		slot->epoch = epoch;
		return position + 1;
	}
	return ++overflow_number; // the table is crowded: define the stack again
}

// Bounds of this thread's own stack; 0 bytes: not known yet.
static __thread struct {
	uintptr_t start;
	size_t bytes;
} own_stack __attribute__((tls_model("initial-exec")));

static void find_own_stack(void)
{
	int saved_errno = errno;
	pthread_attr_t attributes;
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		void *start = NULL;
		pthread_attr_getstack(&attributes, &start, &own_stack.bytes);
		own_stack.start = (uintptr_t)start;
		pthread_attr_destroy(&attributes);
	}
	errno = saved_errno;
}

static bool has_unwinder; // atomic

void qs_unwinder_load(void)
{
	void *frame;
	backtrace(&frame, 1);
	__atomic_store_n(&has_unwinder, true, __ATOMIC_RELEASE); // pairs with the load in qs_can_unwind
}

bool qs_can_unwind(const void *frame)
{
	if (!__atomic_load_n(&has_unwinder, __ATOMIC_ACQUIRE)) return false;
	// The main thread's stack: the kernel's random bytes are at its end, and nothing else is mapped near it. glibc does
	// not know its start when its size is unlimited.
	const uintptr_t most = 8 * 1024 * 1024;
	if (getauxval(AT_RANDOM) - (uintptr_t)frame < most) return true;
	if (own_stack.bytes == 0 && !qs_thread_is_sandboxed && qs_current_tid() != (uint32_t)getpid()) find_own_stack();
	return (uintptr_t)frame - own_stack.start < own_stack.bytes;
}

uint32_t qs_capture_stack(uint32_t skip)
{
	if (!qs_is_recording() || qs_thread_inside || !qs_can_unwind(__builtin_frame_address(0))) return 0;
	void *addresses[QS_MAX_FRAMES];
	uint64_t frames[QS_MAX_FRAMES];
	// backtrace counts this function.
	int taken = backtrace(addresses, QS_MAX_FRAMES);
	int first = (int)skip + 1;
	if (taken <= first) return 0;
	int count = taken - first;
	for (int index = 0; index < count; index++) frames[index] = (uint64_t)(uintptr_t)addresses[first + index];
	return qs_define_stack(frames, (uint16_t)count);
}

uint32_t qs_define_stack(const uint64_t *frames, uint16_t count)
{
	if (!qs_is_recording() || qs_thread_inside) return 0;
	qs_images_request();
	bool is_new;
	qs_thread_inside = true; // a signal handler must not wait for the lock
	if (!qs_lock_take(&qs_stacks_lock)) {
		qs_thread_inside = false;
		qs_lost_events_add(1);
		return 0;
	}
	uint32_t number = number_of(hash_of(frames, count), qs_identity.epoch, &is_new);
	if (is_new && qs_session_repeats_definitions()) keep(number, frames, (uint16_t)count, qs_identity.epoch);
	qs_lock_give_back(&qs_stacks_lock);
	qs_thread_inside = false;
	if (is_new) qs_record_stack(number, frames, count);
	return number;
}
