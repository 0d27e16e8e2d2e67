#include "callers.h"

#include <execinfo.h>

enum {
	// Covers this function, the hook, and the largest number of nested overlay frames.
	MAX_FRAMES = 12,
	// Upper limit for the total size of the overlay's frames.
	MAX_DISTANCE = 2048,
	DISTANCES = 256,
	// Sightings of the same distance before it is trusted. The distance varies when a function's frame size varies.
	PROOFS = 3,
	VARIES = 255,
	FOUND = 4,
	// When all probed slots are taken, the stack is unwound on every call.
	PROBES = 4,

	SITES = 4096,

	// Bytes of the stack that are searched for a return address when unwinding is not possible.
	SCANNED_BYTES = 512,

	SMALLEST_PAGE = 4096,
};

// The distance from a hook's frame to the program's return address, by the overlay's return address. A slot keeps its
// key for the lifetime of the process.
struct known_distance {
	uint64_t caller;
	uint32_t bytes;
	uint32_t proofs;
	uintptr_t found[FOUND]; // recent return addresses at this distance that point into code
};

static struct known_distance distances[DISTANCES];

// Whether a slot has this key. Claims the slot when it is free.
static inline bool claim(uint64_t *slot, uint64_t key)
{
	uint64_t known = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
	if (known == 0) __atomic_compare_exchange_n(slot, &known, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	return known == key || known == 0;
}

static struct known_distance *distance_of(uintptr_t caller)
{
	for (unsigned probe = 0; probe < PROBES; probe++) {
		struct known_distance *slot = &distances[((caller >> 2 ^ caller >> 10) + probe) % DISTANCES];
		if (claim(&slot->caller, caller)) return slot;
	}
	return NULL;
}

// The first return address of the program above a frame. Small functions of the overlay (creation of groups and
// semaphores, release of references) have no unwind information, so their callers cannot be unwound.
__attribute__((no_sanitize("address", "thread"))) static uintptr_t scan_for_program(const char *frame)
{
	// The memory behind the end of a coroutine's stack may not be mapped.
	size_t on_page = SMALLEST_PAGE - (uintptr_t)frame % SMALLEST_PAGE;
	size_t end = SCANNED_BYTES <= on_page || qs_can_unwind(frame) ? SCANNED_BYTES : on_page;
	for (size_t bytes = sizeof(uintptr_t); bytes < end; bytes += sizeof(uintptr_t)) {
		uintptr_t word = *(const uintptr_t *)(frame + bytes);
		if (qs_is_in_hooks((const void *)word) || qs_is_in_libdispatch((const void *)word)) continue;
		if (qs_text_owner(word) == QS_TEXT_PROGRAM && qs_is_return_address(word)) return word;
	}
	return 0;
}

uintptr_t qs_releaser(uintptr_t caller, const void *frame)
{
	if (!qs_is_in_overlay(caller)) return caller;
	uintptr_t found = scan_for_program(frame);
	return found != 0 ? found : caller;
}

// A part of a stack: the rest of the page that the hook's frame is on, or a copy of the following bytes. The memory
// behind the end of a coroutine's stack may not be mapped.
struct stack_piece {
	uintptr_t begin;
	size_t bytes;
	const uintptr_t *words;
	uintptr_t copy[128];
};

// The saved frame pointer and the return address at a frame; NULL when the memory cannot be read.
static const uintptr_t *frame_at(struct stack_piece *piece, uintptr_t position)
{
	const size_t bytes = 2 * sizeof(uintptr_t);
	if (piece->bytes < bytes || position - piece->begin > piece->bytes - bytes) {
		ssize_t copied = qs_copy_memory(position, piece->copy, sizeof piece->copy);
		if (copied < (ssize_t)bytes) return NULL;
		piece->begin = position;
		piece->bytes = (size_t)copied;
		piece->words = piece->copy;
	}
	return &piece->words[(position - piece->begin) / sizeof(uintptr_t)];
}

__attribute__((no_sanitize("address", "thread"))) unsigned qs_frame_pointer_callers(
	const void *frame, uint64_t *callers, unsigned limit)
{
	// Swift sets this bit in the frame pointers of async functions.
	const uintptr_t is_async = (uintptr_t)1 << 60;
	// No frame is larger. Memory further away may be anything, for example a device mapping.
	const uintptr_t largest = 256 * 1024;
	uintptr_t position = (uintptr_t)frame;
	struct stack_piece piece;
	piece.begin = position;
	piece.bytes = SMALLEST_PAGE - position % SMALLEST_PAGE;
	piece.words = frame;
	const uintptr_t *words = frame_at(&piece, position);
	unsigned count = 0;
	while (words != NULL && count < limit) {
		uintptr_t next = words[0] & ~is_async;
		// Code without frame pointers uses the register for other values.
		if (next % sizeof(uintptr_t) != 0 || next <= position || next - position > largest) break;
		position = next;
		words = frame_at(&piece, position);
		if (words == NULL || !qs_is_return_address_without_lock(words[1])) break;
		callers[count++] = words[1];
	}
	return count;
}

uint32_t qs_lock_code(uintptr_t caller, const void *frame)
{
	enum { CALLERS = 6 };
	uint64_t frames[1 + CALLERS] = {caller};
	unsigned count = qs_frame_pointer_callers(frame, frames + 1, CALLERS);
	// In an unoptimised build the hook has a frame of its own.
	bool has_hook = count > 0 && frames[1] == caller;
	return qs_code_call(frames + has_hook, (uint16_t)(1 + count - has_hook));
}

// Stores the distance at which the address was found.
static void note_distance(struct known_distance *distance, uintptr_t found, const char *frame)
{
	for (uint32_t bytes = 0; bytes < MAX_DISTANCE; bytes += sizeof(uintptr_t)) {
		if (*(const uintptr_t *)(frame + bytes) != found) continue;
		uint32_t proofs = __atomic_load_n(&distance->proofs, __ATOMIC_RELAXED);
		if (proofs == 0) {
			__atomic_store_n(&distance->bytes, bytes, __ATOMIC_RELAXED);
			__atomic_store_n(&distance->proofs, 1, __ATOMIC_RELEASE);
		} else if (__atomic_load_n(&distance->bytes, __ATOMIC_RELAXED) != bytes) {
			__atomic_store_n(&distance->proofs, VARIES, __ATOMIC_RELEASE);
		} else if (proofs < PROOFS) {
			__atomic_store_n(&distance->proofs, proofs + 1, __ATOMIC_RELEASE);
		}
		return;
	}
}

uintptr_t qs_program_caller(uintptr_t caller, const void *frame)
{
	if (!qs_is_in_overlay(caller)) return caller;
	struct known_distance *distance = distance_of(caller);
	if (distance != NULL && __atomic_load_n(&distance->proofs, __ATOMIC_ACQUIRE) == PROOFS) {
		uint32_t bytes = __atomic_load_n(&distance->bytes, __ATOMIC_RELAXED);
		uintptr_t found = *(const uintptr_t *)((const char *)frame + bytes);
		uintptr_t *known = &distance->found[(found >> 2 ^ found >> 6) % FOUND];
		if (qs_likely(found != 0 && found == __atomic_load_n(known, __ATOMIC_RELAXED))) return found;
		if (!qs_is_in_overlay(found) && qs_is_text(found)) {
			__atomic_store_n(known, found, __ATOMIC_RELAXED);
			return found;
		}
	}
	if (!qs_can_unwind(frame)) return caller;
	void *frames[MAX_FRAMES];
	int count = backtrace(frames, MAX_FRAMES);
	int index = 0;
	while (index < count && (uintptr_t)frames[index] != caller) index++;
	while (index < count && qs_is_in_overlay((uintptr_t)frames[index])) index++;
	uintptr_t found = index < count ? (uintptr_t)frames[index] : scan_for_program(frame);
	if (found == 0) return caller;
	if (distance != NULL && __atomic_load_n(&distance->proofs, __ATOMIC_ACQUIRE) < PROOFS) {
		note_distance(distance, found, frame);
	}
	return found;
}

// Whether the distance from a hook's frame to the program's return address is the same for all calls of this caller.
static bool is_known_distance(uintptr_t caller, uint32_t *bytes)
{
	const struct known_distance *distance = distance_of(caller);
	if (distance == NULL || __atomic_load_n(&distance->proofs, __ATOMIC_ACQUIRE) != PROOFS) return false;
	*bytes = __atomic_load_n(&distance->bytes, __ATOMIC_RELAXED);
	return true;
}

static void write_frame(struct qs_known_frame *place, struct qs_known_frame frame)
{
	__atomic_store_n(&place->caller, 0, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	place->bytes = frame.bytes;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&place->caller, frame.caller, __ATOMIC_RELAXED);
}

static void cache_frame(uintptr_t caller)
{
	uint32_t bytes;
	if (qs_cached_frame(caller) != NULL || !is_known_distance(caller, &bytes) || !qs_caching_begin()) return;
	struct qs_known_frame *place = qs_known_frame_place(caller);
	if (place->caller != 0) write_frame(qs_paired_place(qs_hook_thread.frames, place), *place);
	write_frame(place, (struct qs_known_frame){caller, bytes});
	qs_caching_end();
}

// Returned to a signal handler that interrupted a write to the cache, and for a call site that is not cached.
static __thread struct qs_call_site spare __attribute__((tls_model("initial-exec")));

QS_SLOW_PATH struct qs_call_site *qs_find_call_site(uintptr_t caller, const void *frame)
{
	uintptr_t address = qs_program_caller(caller, frame);
	if (address != caller) cache_frame(caller);
	if (qs_unlikely(qs_is_in_runners(address))) {
		// Not cached. The stack of such a call only shows that a runner made it.
		spare = (struct qs_call_site){.session = qs_session_number(), .has_stack = true};
		return &spare;
	}
	struct qs_call_site *cached = qs_cached_call_site(address);
	if (cached != NULL) return cached;
	uint32_t session = qs_session_number();
	uint32_t code = qs_code_address(address, 0);
	// A definition that was discarded is tried again with the next call.
	if (!qs_code_is_defined(code)) session = 0;
	struct qs_call_site site = {.address = address, .session = session, .code = code};
	if (!qs_caching_begin()) {
		spare = site;
		return &spare;
	}
	struct qs_call_site *place = qs_call_site_place(address);
	if (place->session == qs_session_number()) qs_cache_entry(qs_paired_place(qs_hook_thread.sites, place), *place);
	qs_cache_entry(place, site);
	qs_caching_end();
	return place;
}

// The stack taken last at a call site. A slot keeps its site for the lifetime of the process.
struct site {
	uint64_t site;
	uint64_t session_and_stack; // one word, so that both change together
	uint32_t stacks; // number of stacks taken of the first calls
};

static struct site sites[SITES];

// NULL when all probed slots are taken.
static struct site *slot_of(uint64_t site)
{
	for (unsigned probe = 0; probe < PROBES; probe++) {
		struct site *slot = &sites[((site ^ site >> 11) + probe) % SITES];
		if (claim(&slot->site, site)) return slot;
	}
	return NULL;
}

// Whether to take the stack of this call. Each thread counts its own later calls: a counter per site would be a cache
// line that all processors write to.
static bool takes_stack(struct site *site)
{
	if (__atomic_load_n(&site->stacks, __ATOMIC_RELAXED) < QS_FIRST_STACKS) {
		__atomic_fetch_add(&site->stacks, 1, __ATOMIC_RELAXED);
		return true;
	}
	return ++qs_hook_thread.site_calls % QS_LATER_STACKS == 0;
}

// Inlined into the function that the hook calls, so that the stack begins with the hook's caller. `is_settled` is true
// when the result stays the same until the stack of a later call is taken.
static inline __attribute__((always_inline)) uint32_t stack_of(uint64_t site, bool is_due, bool *is_settled)
{
	*is_settled = false;
#ifdef QS_FRONT_END_WRAP
	// Where the overlay is not distinguished, all calls through it have the same return address.
	if (qs_overlay_text.size == 0) return qs_capture_stack(2);
#endif
	struct site *slot = slot_of(site);
	if (slot == NULL) return qs_capture_stack(2);
	uint64_t taken = __atomic_load_n(&slot->session_and_stack, __ATOMIC_RELAXED);
	bool is_of_session = taken >> 32 == qs_session_number();
	*is_settled = __atomic_load_n(&slot->stacks, __ATOMIC_RELAXED) >= QS_FIRST_STACKS;
	if (is_of_session && !is_due && !takes_stack(slot)) return (uint32_t)taken;
	uint32_t stack = qs_capture_stack(2);
	// Unwinding failed: use a stack with the call site only.
	if (stack == 0) stack = qs_define_stack(&site, 1);
	__atomic_store_n(&slot->session_and_stack, (uint64_t)qs_session_number() << 32 | stack, __ATOMIC_RELAXED);
	return stack;
}

__attribute__((disable_tail_calls)) uint32_t qs_site_stack(uint64_t site)
{
	bool is_settled;
	return stack_of(site, false, &is_settled);
}

QS_SLOW_PATH uint32_t qs_find_call_site_stack(struct qs_call_site *site)
{
	if (site->address == 0) return 0; // called from a runner
	site->stack = stack_of(site->address, site->has_stack, &site->has_stack);
	return site->stack;
}

// The session whose trace has the stack of a sync with this code, by code number modulo CODES.
enum { CODES = 1 << 16 };
static uint32_t noted_syncs[CODES];

QS_SLOW_PATH void qs_note_sync_stack(uint32_t code)
{
	uint32_t session = qs_session_number();
	uint32_t *noted = &noted_syncs[code % CODES];
	uint32_t known = __atomic_load_n(noted, __ATOMIC_RELAXED);
	if (code == 0 || known == session) return;
	// The exchange publishes no other data. The thread that loses the race returns.
	if (!__atomic_compare_exchange_n(noted, &known, session, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
	uint32_t stack = qs_capture_stack(2);
	if (stack != 0) qs_code_note_stack(code, stack);
}
