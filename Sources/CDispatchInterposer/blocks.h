// Blocks as the compiler lays them out (the Blocks ABI), without a compiler that knows them.
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
	// What it captures follows.
};

enum {
	QS_BLOCK_HAS_COPY_DISPOSE = 1 << 25,
};

// Whether it was made by dispatch_block_create: it carries flags, QoS and its own state, and must not be wrapped.
static inline bool qs_block_has_private_data(const void *block)
{
	return ((const struct qs_block *)block)->invoke == qs_helpers.special_invoke;
}

// What a Swift block captures: a closure's function and its context.
struct qs_captured_closure {
	struct qs_block block;
	uintptr_t function;
	uintptr_t context;
};

// Slow path: the code is not in this thread's cache.
QS_SLOW_PATH struct qs_known_code *qs_find_code(uintptr_t captured, uintptr_t invoke);

// Slow path: the overlay's own closure, whose entry is `outer`, and its context does not begin with what it calls. The
// entry for what it calls.
QS_SLOW_PATH struct qs_known_code *qs_forwarded_code(
	const struct qs_captured_closure *closure, struct qs_known_code *outer);

// The entry for a closure, a function and a context, whose own entry is `known`: where it may be a thunk, for the pair
// with what it calls.
struct qs_known_code *qs_thunk_code(const uintptr_t *closure, struct qs_known_code *known);

// Stands for the pair: no two pairs of addresses differ by as much as this takes.
static inline uint64_t qs_code_key(uintptr_t captured, uintptr_t invoke)
{
	return captured * 0x9E3779B97F4A7C15u + invoke * 0xD1B54A32D192ED03u;
}

// Where this thread caches code: here, or in the place beside it.
static inline struct qs_known_code *qs_code_place(uint64_t key)
{
	return &qs_hook_thread.known[key / (UINT64_MAX / QS_KNOWN_CODES + 1)];
}

// This thread's cache entry, NULL when there is none.
static inline struct qs_known_code *qs_met_code(uintptr_t captured, uintptr_t invoke)
{
	uint64_t key = qs_code_key(captured, invoke);
	uint32_t session = qs_session_number();
	struct qs_known_code *known = qs_code_place(key);
	if (qs_likely(known->key == key && known->session == session)) return known;
	known = qs_place_beside(qs_hook_thread.known, known);
	return known->key == key && known->session == session ? known : NULL;
}

// The entry for code that is called with a word that may be a function too.
static inline struct qs_known_code *qs_known_code(uintptr_t captured, uintptr_t invoke)
{
	struct qs_known_code *known = qs_met_code(captured, invoke);
	return qs_likely(known != NULL) ? known : qs_find_code(captured, invoke);
}

static inline uint32_t qs_code_of(uintptr_t captured, uintptr_t invoke)
{
	return qs_known_code(captured, invoke)->code;
}

// The entry for the block's own function and what the block captured first. A closure is copied by the block's own
// functions, which a block that captures plain data lacks.
static inline struct qs_known_code *qs_outer_code(const struct qs_captured_closure *closure)
{
	bool may_be_closure = (closure->block.flags & QS_BLOCK_HAS_COPY_DISPOSE) != 0
		&& closure->block.descriptor->size >= sizeof *closure;
	return qs_known_code(may_be_closure ? closure->function : 0, (uintptr_t)closure->block.invoke);
}

// The entry for the code that a block will run: for Swift the closure's own function, else the block's. All Swift
// closures of one type share the function that the block calls; it calls the function that the block captured. Where
// the overlay puts a closure of its own in between (a sync that returns a value), it is the one that this calls.
static inline __attribute__((always_inline)) struct qs_known_code *qs_known_block(const void *block)
{
	const struct qs_captured_closure *closure = block;
	struct qs_known_code *known = qs_outer_code(closure);
	if (!known->is_forwarder || closure->context == 0) return known;
	// What the overlay's closure captured first is the program's, unless a value is returned.
	const uintptr_t *captured = (const uintptr_t *)closure->context + 2;
	struct qs_known_code *called = qs_met_code(0, captured[0]);
	if (qs_unlikely(called == NULL)) return qs_forwarded_code(closure, known);
	return qs_likely(!called->may_be_thunk) ? called : qs_thunk_code(captured, called);
}

// The code that a block will run, as a number for the `code` fields.
static inline uint32_t qs_block_code(const void *block)
{
	return qs_known_block(block)->code;
}

// The same for a function and its context: for Swift's jobs the function that the job runs. `is_job` says whether it is
// one.
uint32_t qs_function_code(qs_function_t work, const void *context, bool *is_job);

#endif
