// The layout of blocks (the Blocks ABI), for compilers without support for blocks.
#ifndef QS_BLOCKS_H
#define QS_BLOCKS_H

#include "hooks.h"

struct qs_block_descriptor {
	unsigned long reserved;
	unsigned long size;
	void (*copy)(void *to, const void *from);
	void (*dispose)(const void *block);
};

struct qs_block {
	void *isa;
	int flags;
	int reserved;
	void (*invoke)(void *block);
	const struct qs_block_descriptor *descriptor;
	// The captures follow.
};

enum {
	QS_BLOCK_HAS_COPY_DISPOSE = 1 << 25,
};

// Whether dispatch_block_create made the block. Such a block carries flags, QoS and state, and must not be wrapped.
static inline bool qs_block_has_private_data(const void *block)
{
	return ((const struct qs_block *)block)->invoke == qs_helpers.special_invoke;
}

// A Swift block with its capture: a closure's function and context.
struct qs_captured_closure {
	struct qs_block block;
	uintptr_t function;
	uintptr_t context;
};

// Slow path: the code is not in this thread's cache.
QS_SLOW_PATH struct qs_known_code *qs_find_code(uintptr_t captured, uintptr_t invoke);

// Slow path for an overlay closure whose first captured word is not its callee. `outer` is the closure's own entry.
// Returns the callee's entry.
QS_SLOW_PATH struct qs_known_code *qs_forwarded_code(
	const struct qs_captured_closure *closure, struct qs_known_code *outer);

// The entry for a closure (function and context) whose own entry is `known`. When the closure may be a thunk, the entry
// is for the pair of the closure and the function that it calls.
struct qs_known_code *qs_thunk_code(const uintptr_t *closure, struct qs_known_code *known);

// Hash of the pair. It is used without a comparison of the pair itself: a collision is practically impossible.
static inline uint64_t qs_code_key(uintptr_t captured, uintptr_t invoke)
{
	return captured * 0x9E3779B97F4A7C15u + invoke * 0xD1B54A32D192ED03u;
}

// The place in this thread's cache. The entry is here or in the paired place.
static inline struct qs_known_code *qs_code_place(uint64_t key)
{
	return &qs_hook_thread.known[key / (UINT64_MAX / QS_KNOWN_CODES + 1)];
}

// This thread's cache entry, NULL when there is none.
static inline struct qs_known_code *qs_cached_code(uintptr_t captured, uintptr_t invoke)
{
	uint64_t key = qs_code_key(captured, invoke);
	uint32_t session = qs_session_number();
	struct qs_known_code *known = qs_code_place(key);
	if (qs_likely(known->key == key && known->session == session)) return known;
	known = qs_paired_place(qs_hook_thread.known, known);
	return known->key == key && known->session == session ? known : NULL;
}

// The entry for code that is called with a word that may be a function as well.
static inline struct qs_known_code *qs_known_code(uintptr_t captured, uintptr_t invoke)
{
	struct qs_known_code *known = qs_cached_code(captured, invoke);
	return qs_likely(known != NULL) ? known : qs_find_code(captured, invoke);
}

static inline uint32_t qs_code_of(uintptr_t captured, uintptr_t invoke)
{
	return qs_known_code(captured, invoke)->code;
}

// A block that captures a closure has copy and dispose functions; a block that captures plain data has none.
static inline bool qs_may_capture_closure(const struct qs_captured_closure *closure)
{
	return (closure->block.flags & QS_BLOCK_HAS_COPY_DISPOSE) != 0
		&& closure->block.descriptor->size >= sizeof *closure;
}

// The entry for the block's invoke function and the first captured word.
static inline struct qs_known_code *qs_outer_code(const struct qs_captured_closure *closure)
{
	uintptr_t captured = qs_may_capture_closure(closure) ? closure->function : 0;
	return qs_known_code(captured, (uintptr_t)closure->block.invoke);
}

// The entry for the code that a block runs: the closure's function for Swift, otherwise the block's function. All Swift
// closures of one type share an invoke function, which calls the captured function. Where the overlay inserts its own
// closure (a sync that returns a value), the result is the function which that closure calls.
__attribute__((noinline)) struct qs_known_code *qs_known_block(const void *block);

// The code of the block that this thread has submitted repeatedly, NULL when this block runs other code. A loop submits
// one block again and again, and a comparison of three words takes a third of the look-ups' instructions. `has_stack`:
// only if the stack of a sync with this code is in the trace.
static inline __attribute__((always_inline)) const struct qs_last_block *qs_last_block(
	const void *block, bool has_stack)
{
	const struct qs_captured_closure *closure = block;
	const struct qs_last_block *last = &qs_hook_thread.last_block;
	uint32_t session = has_stack ? qs_hook_thread.last_block_stack : last->session;
	// A block with the same function has the same captures.
	bool is_same = qs_likely(last->invoke == (uintptr_t)closure->block.invoke)
		&& qs_likely(last->function == closure->function) && qs_likely(session == qs_session_number());
	if (!is_same) return NULL;
	// A closure with the function of the overlay's closure has a context like it.
	if (last->callee == 0) return last;
	return qs_likely(((const uintptr_t *)closure->context)[2] == last->callee) ? last : NULL;
}

// The code that a block will run, as a number for the `code` fields.
static inline uint32_t qs_block_code(const void *block)
{
	const struct qs_last_block *last = qs_last_block(block, false);
	return qs_likely(last != NULL) ? last->code : qs_known_block(block)->code;
}

// The same for a function and its context. For Swift's jobs the result is the function that the job runs, and `is_job`
// is set.
uint32_t qs_function_code(qs_function_t work, const void *context, bool *is_job);

#endif
