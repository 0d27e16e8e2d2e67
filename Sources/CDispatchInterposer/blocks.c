#include "blocks.h"

#include <string.h>

#include "text_map.h"

// Returned to a signal handler that interrupted a write to the cache.
static __thread struct qs_known_code spare __attribute__((tls_model("initial-exec")));

// The overlay creates the blocks of its own closures. A capture of another block is not a forwarder.
static bool is_overlay_block(uintptr_t invoke)
{
#ifdef QS_FRONT_END_WRAP
	// All modules have the same invoke functions, and the linker keeps one of them, which may be the program's.
	if (qs_text_owner(invoke) == QS_TEXT_PROGRAM) return true;
#endif
	return qs_text_owner(invoke) == QS_TEXT_SWIFT_DISPATCH;
}

QS_SLOW_PATH struct qs_known_code *qs_find_code(uintptr_t captured, uintptr_t invoke)
{
	uint64_t key = qs_code_key(captured, invoke);
	enum qs_text_owner owner = captured != 0 ? qs_text_owner(captured) : QS_TEXT_NONE;
	uint32_t code = owner != QS_TEXT_NONE ? qs_code_address(captured, invoke) : qs_code_address(invoke, 0);
	struct qs_known_code known = {
		.key = key,
		// An entry of session 0 is never found: a discarded definition is tried again with the next event.
		.session = qs_code_is_defined(code) ? qs_session_number() : 0,
		.code = code,
		.is_forwarder = owner == QS_TEXT_SWIFT_DISPATCH && is_overlay_block(invoke),
		.is_job = captured == 0 && qs_text_owner(invoke) == QS_TEXT_SWIFT_CONCURRENCY,
	};
	if (!qs_caching_begin()) {
		spare = known;
		return &spare;
	}
	struct qs_known_code *place = qs_code_place(key);
	if (place->session == qs_session_number()) qs_cache_entry(qs_paired_place(qs_hook_thread.known, place), *place);
	qs_cache_entry(place, known);
	qs_caching_end();
	return place;
}

// The path from an overlay closure to the closure that it calls: for each context on the way, the index of the word
// with the next function. The path is searched once for all closures with the same function.
enum { MAX_HOPS = 4, CONTEXT_WORDS = 8, FORWARDERS = 64, SMALLEST_PAGE = 4096 };

struct forwarding_path {
	uintptr_t function;          // of the overlay's closure; 0: free; written last
	uint8_t hops;                // 0: there is no path
	uint8_t words[MAX_HOPS];
};

static struct forwarding_path paths[FORWARDERS];
_Static_assert(FORWARDERS < 1 << 7, "the number of a path, from 1, has a place in qs_known_code");

static bool is_pointer(uintptr_t word)
{
	return word > 4096 && word % sizeof(void *) == 0 && word >> 47 == 0;
}

// Whether a captured closure at this word, its function and context, is on the context's page.
static inline bool is_on_page(const uintptr_t *context, size_t word)
{
	return ((uintptr_t)context ^ (uintptr_t)&context[word + 1]) < SMALLEST_PAGE;
}

// Whether the two words can be read. A context may end before them, and the page after it may not be mapped.
static bool can_read_closure(const uintptr_t *context, size_t word)
{
	if (is_on_page(context, word)) return true;
	uintptr_t copy[2];
	return qs_copy_memory((uintptr_t)&context[word], copy, sizeof copy) == sizeof copy;
}

// A context begins with two header words. The captures follow; a captured closure is a function and a context.
static bool find_path(const uintptr_t *context, struct forwarding_path *path)
{
	if (path->hops == MAX_HOPS) return false;
	uint8_t hop = path->hops++;
	for (uint8_t word = 2; word < CONTEXT_WORDS && can_read_closure(context, word); word++) {
		if (!qs_is_text(context[word])) continue;
		path->words[hop] = word;
		if (!qs_is_in_overlay(context[word])) return true;
		if (is_pointer(context[word + 1]) && find_path((const uintptr_t *)context[word + 1], path)) return true;
	}
	path->hops = hop;
	return false;
}

static const struct forwarding_path *path_of(const struct qs_captured_closure *closure)
{
	struct forwarding_path *slot = &paths[closure->function / 16 % FORWARDERS];
	uintptr_t known = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
	if (qs_likely(known == closure->function)) return slot;
	if (known != 0) return NULL; // the slot is taken by another function: this one gets no path
	struct forwarding_path path = {0};
	if (!find_path((const uintptr_t *)closure->context, &path)) path.hops = 0;
	// Threads that write at the same time write the same values.
	slot->hops = path.hops;
	memcpy(slot->words, path.words, sizeof slot->words);
	__atomic_store_n(&slot->function, closure->function, __ATOMIC_RELEASE);
	return slot;
}

// The entry for a word that may be a function; NULL when it is not one. A hit in this thread's cache needs no search.
static struct qs_known_code *code_of_word(uintptr_t word)
{
	struct qs_known_code *known = qs_cached_code(0, word);
	if (known != NULL) return known;
	return qs_is_text(word) ? qs_find_code(0, word) : NULL;
}

// The header of a closure's context, in front of the captures.
enum { CONTEXT_HEADER = 2 * sizeof(uintptr_t) };

struct qs_known_code *qs_thunk_code(const uintptr_t *closure, struct qs_known_code *known)
{
	uintptr_t captured = closure[1] + CONTEXT_HEADER;
	// A context may consist of the header only, but the bytes after it on the same page are readable.
	if (!is_pointer(captured) || captured % SMALLEST_PAGE == 0) return known;
	uintptr_t inner = *(const uintptr_t *)captured;
	struct qs_known_code *pair = qs_cached_code(inner, closure[0]);
	if (pair != NULL) return pair;
	return qs_is_text(inner) ? qs_find_code(inner, closure[0]) : known;
}

// The entry for the program's closure at the end of a path; NULL when the word is not a function. The second word may
// not be a context, so its memory is read with a copy that reports faults.
static struct qs_known_code *code_of_closure(const uintptr_t *closure)
{
	struct qs_known_code *known = code_of_word(closure[0]);
	uintptr_t inner;
	if (known == NULL || !is_pointer(closure[1])) return known;
	if (qs_copy_memory(closure[1] + CONTEXT_HEADER, &inner, sizeof inner) != sizeof inner) return known;
	if (!qs_is_text(inner)) return known;
	known->may_be_thunk = true;
	return qs_thunk_code(closure, known);
}

// Whether a path begins with an overlay closure as the first capture. For any other path each closure is searched
// again.
static bool is_usual(const struct forwarding_path *path)
{
	return path->hops >= 2 && path->words[0] == 2;
}

// The entry for the function that a closure calls along a path; NULL when it is not in this thread's cache, or when the
// closure does not match the path.
static inline struct qs_known_code *follow(const uintptr_t *context, const struct forwarding_path *path)
{
	int last = path->hops - 1;
	for (int hop = 0; hop < last; hop++) {
		const uintptr_t *closure = &context[path->words[hop]];
		if (!is_on_page(context, path->words[hop])) return NULL;
		if (!qs_is_in_known_overlay(closure[0]) || !is_pointer(closure[1])) return NULL;
		context = (const uintptr_t *)closure[1];
	}
	if (!is_on_page(context, path->words[last])) return NULL;
	const uintptr_t *closure = &context[path->words[last]];
	struct qs_known_code *called = qs_cached_code(0, closure[0]);
	return called == NULL || qs_likely(!called->may_be_thunk) ? called : qs_thunk_code(closure, called);
}

static QS_SLOW_PATH struct qs_known_code *find_forwarded_code(
	const struct qs_captured_closure *closure, struct qs_known_code *outer)
{
	const uintptr_t *context = (const uintptr_t *)closure->context;
	// The shortest path, used by a sync without a return value. Closures with the same function differ in this.
	struct qs_known_code *captured = qs_is_in_overlay(context[2]) ? NULL : code_of_closure(&context[2]);
	if (captured != NULL) return captured;
	const struct forwarding_path *path = path_of(closure);
	if (path == NULL || path->hops == 0) return outer;
	if (is_usual(path)) outer->path = (uint32_t)(path - paths) + 1;
	for (int hop = 0; hop + 1 < path->hops; hop++) {
		if (!can_read_closure(context, path->words[hop])) return outer;
		uintptr_t next = context[path->words[hop] + 1];
		if (!qs_is_in_overlay(context[path->words[hop]]) || !is_pointer(next)) return outer;
		context = (const uintptr_t *)next;
	}
	// Another closure than the one of the path may be here, with a smaller context.
	if (!can_read_closure(context, path->words[path->hops - 1])) return outer;
	struct qs_known_code *called = code_of_closure(&context[path->words[path->hops - 1]]);
	return called != NULL ? called : outer;
}

QS_SLOW_PATH struct qs_known_code *qs_forwarded_code(
	const struct qs_captured_closure *closure, struct qs_known_code *outer)
{
	if (!is_pointer(closure->context)) return outer;
	if (qs_likely(outer->path != 0)) {
		struct qs_known_code *called = follow((const uintptr_t *)closure->context, &paths[outer->path - 1]);
		if (qs_likely(called != NULL)) return called;
	}
	return find_forwarded_code(closure, outer);
}

static inline struct qs_known_code *known_block(const struct qs_captured_closure *closure)
{
	struct qs_known_code *known = qs_outer_code(closure);
	if (!known->is_forwarder || closure->context == 0) return known;
	// The first capture of the overlay's closure is the program's closure, unless a value is returned.
	const uintptr_t *captured = (const uintptr_t *)closure->context + 2;
	struct qs_known_code *called = qs_cached_code(0, captured[0]);
	if (qs_unlikely(called == NULL)) return qs_forwarded_code(closure, known);
	return qs_likely(!called->may_be_thunk) ? called : qs_thunk_code(captured, called);
}

// Notes a block whose code is found by its captures alone, without a look at the closures behind them.
static __attribute__((noinline)) void note_last_block(
	const struct qs_captured_closure *closure, const struct qs_known_code *known)
{
	if (known->may_be_thunk || known->session != qs_session_number() || !qs_may_capture_closure(closure)) return;
	uintptr_t callee = 0;
	const struct qs_known_code *outer = qs_cached_code(closure->function, (uintptr_t)closure->block.invoke);
	if (outer == NULL) return;
	if (outer != known) {
		callee = ((const uintptr_t *)closure->context)[2];
		if (callee == 0 || qs_cached_code(0, callee) != known) return;
	} else if (outer->is_forwarder) {
		return;
	}
	struct qs_last_block last = {
		.invoke = (uintptr_t)closure->block.invoke,
		.function = closure->function,
		.callee = callee,
		.session = known->session,
		.code = known->code,
	};
	if (!qs_caching_begin()) return;
	// Like `session`: not set while the entry is incomplete.
	__atomic_store_n(&qs_hook_thread.last_block_stack, 0, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	qs_cache_entry(&qs_hook_thread.last_block, last);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (known->has_stack) __atomic_store_n(&qs_hook_thread.last_block_stack, last.session, __ATOMIC_RELAXED);
	qs_caching_end();
}

struct qs_known_code *qs_known_block(const void *block)
{
	struct qs_known_code *known = known_block(block);
	// Not at the first look-up: blocks that alternate would replace each other.
	uintptr_t place = ((uintptr_t)known - (uintptr_t)qs_hook_thread.known) / sizeof *known;
	if (place == qs_hook_thread.last_known) note_last_block(block, known);
	else if (place < QS_KNOWN_CODES) qs_hook_thread.last_known = (uint8_t)place;
	return known;
}

// The part of a Swift job up to the function that it runs, from the Swift ABI.
struct swift_job {
	void *header[2];
	void *scheduler[2];
	uint32_t flags, id;
	void *voucher;
	void *reserved;
	uintptr_t run;
};

uint32_t qs_function_code(qs_function_t work, const void *context, bool *is_job)
{
	const struct qs_known_code *known = qs_known_code(0, (uintptr_t)work);
	*is_job = known->is_job && context != NULL;
	if (!*is_job) return known->code;
	const struct qs_known_code *run = code_of_word(((const struct swift_job *)context)->run);
	return (run != NULL ? run : known)->code;
}
