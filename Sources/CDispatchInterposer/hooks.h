// The pattern of all hooks:
//
//	QS_HOOK(void, dispatch_sync, (void *queue, void *block))
//	{
//		if (!qs_hook_records()) return original(dispatch_sync)(queue, block);   // off, or called by libdispatch
//		…record, and call an original with the same effect…
//	}
//
// Rules: a hook never blocks, never allocates under libdispatch's locks, and calls hooked functions only through
// `original`. Arguments that the API allows (NULL queues, NULL blocks) are passed on unchanged. Arguments that it
// forbids are passed on too, so that libdispatch crashes as without the hook.
//
// Context: any thread, any time, also before constructors. The recorder drops events that it cannot record.
#ifndef QS_HOOKS_H
#define QS_HOOKS_H

#include <CTraceRecorder.h>

#include "originals.h"

#define qs_likely(x) __builtin_expect(!!(x), 1)
#define qs_unlikely(x) __builtin_expect(!!(x), 0)

// Three front ends share the hooks. The preload object exports only the hooks of QS_EXPORTED_HOOK; a session writes the
// addresses of the hooks into the slots of the loaded objects (slots.h). In a dynamic program that links the hooks, a
// hook has the name of the function that it replaces. With --wrap, the linker redirects calls of NAME to __wrap_NAME.
#if defined(QS_FRONT_END_PRELOAD)
#define QS_HOOK_SYMBOL(name) qs_hook_##name
#define QS_HOOK_VISIBILITY visibility("hidden")
#elif defined(QS_FRONT_END_WRAP)
#define QS_HOOK_SYMBOL(name) __wrap_##name
#define QS_HOOK_VISIBILITY visibility("default")
#else
#define QS_HOOK_SYMBOL(name) name
#define QS_HOOK_VISIBILITY visibility("default")
#endif

// All hooks are in one section. A return address in this section identifies a call that a hook makes. (libdispatch
// jumps from one of its exported functions to another, so the second function sees the caller of the first.) For the
// same reason a hook must not tail-call an original.
#define QS_HOOK(result, name, parameters) \
	__attribute__((QS_HOOK_VISIBILITY, section("qs_hooks"), noinline, disable_tail_calls)) \
	result QS_HOOK_SYMBOL(name) parameters

// Functions that call the code of items and handlers are in another section. When that code ends with a tail call, the
// return address is in this section and does not identify code of the program.
#define QS_RUNNER __attribute__((section("qs_runners"), noinline))

// Hooks of libc's functions. They may tail-call the original, which makes the uncontended mutex cheaper: no hook of
// libdispatch checks their callers. A sanitizer has its own hooks for these functions, which must stay active: in a
// sanitized program these hooks are disabled.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QS_LIBC_HOOK(result, name, parameters) __attribute__((unused)) static result qs_unused_##name parameters
#endif
#endif
#ifndef QS_LIBC_HOOK
#define QS_LIBC_HOOK(result, name, parameters) \
	__attribute__((QS_HOOK_VISIBILITY)) result QS_HOOK_SYMBOL(name) parameters
#endif

// Hooks that the preload object also exports, because they must run before a session: a thread that installs a system
// call filter is noted, and the control socket is closed before. The slots of libdispatch and of the Swift runtime,
// which call `syscall` often, get the original while no session records.
#ifdef QS_FRONT_END_PRELOAD
#define QS_EXPORTED_HOOK(result, name, parameters) \
	extern __attribute__((visibility("hidden"), alias(#name))) result QS_HOOK_SYMBOL(name) parameters; \
	__attribute__((visibility("default"))) result name parameters
#else
#define QS_EXPORTED_HOOK QS_LIBC_HOOK
#endif

// Hooks of the runtime of Swift Concurrency. Hooks of async functions end with QS_SWIFT_TAIL, because the functions
// that they call do not return to them.
#define QS_SWIFT_HOOK(result, name, parameters) \
	__attribute__((QS_HOOK_VISIBILITY)) result QS_HOOK_SYMBOL(name) parameters
#define QS_SWIFT_TAIL __attribute__((musttail)) return

// Address range of code.
struct qs_text_range {
	uintptr_t begin;
	uintptr_t size;
};

// Address ranges of libdispatch's code. A program that contains libdispatch has several.
#ifdef QS_FRONT_END_WRAP
enum { QS_LIBDISPATCH_TEXTS = 4 };
#else
enum { QS_LIBDISPATCH_TEXTS = 1 };
#endif

extern struct qs_text_range qs_libdispatch_texts[QS_LIBDISPATCH_TEXTS];
extern struct qs_text_range qs_hooks_text;   // set by qs_interposer_prepare
extern struct qs_text_range qs_runners_text; // set by qs_interposer_prepare

static inline bool qs_is_in_libdispatch(const void *address)
{
	for (int index = 0; index < QS_LIBDISPATCH_TEXTS; index++) {
		const struct qs_text_range *text = &qs_libdispatch_texts[index];
		if ((uintptr_t)address - text->begin < text->size) return true;
	}
	return false;
}

static inline bool qs_is_in_hooks(const void *address)
{
	return (uintptr_t)address - qs_hooks_text.begin < qs_hooks_text.size;
}

static inline bool qs_is_in_runners(uintptr_t address)
{
	return address - qs_runners_text.begin < qs_runners_text.size;
}

// Whether the program itself calls this hook while a session records. Use it in the body of the hook, because it reads
// the return address.
#define qs_hook_records() \
	(!qs_gate_has(0) && qs_likely(!qs_is_in_libdispatch(__builtin_return_address(0)) \
		&& !qs_is_in_hooks(__builtin_return_address(0))))

// The code that calls the hook, as a number for the `code` fields.
#define qs_caller_code() qs_place_code((uintptr_t)__builtin_return_address(0))

// The code number of a return address; 0 (unknown) when it does not identify code of the program.
static inline uint32_t qs_place_code(uintptr_t address)
{
	return qs_unlikely(qs_is_in_runners(address)) ? 0 : qs_code_address(address, 0);
}

// Data that passes from one thread to another through libdispatch is ordered in a way that ThreadSanitizer cannot see.
// These annotations report the order.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern void __tsan_release(void *address);
extern void __tsan_acquire(void *address);
#define qs_tsan_release(item) __tsan_release((void *)(uintptr_t)(item))
#define qs_tsan_acquire(item) __tsan_acquire((void *)(uintptr_t)(item))
#endif
#endif
#ifndef qs_tsan_release
#define qs_tsan_release(item) ((void)(item))
#define qs_tsan_acquire(item) ((void)(item))
#endif

struct qs_sync_call;
struct qs_context_node;

// The places of a cache form pairs. An entry that is replaced moves to the other place of its pair.
#define qs_paired_place(cache, place) (&(cache)[((place) - (cache)) ^ 1])

// Cache entry for a (captured word, function) pair.
struct qs_known_code {
	uint64_t key;              // of the pair: see blocks.h
	uint32_t session;
	uint32_t code : 21;
	uint32_t path : 7;         // of a forwarder, number of its path to the callee (see blocks.c); 0: not known
	uint32_t has_stack : 1;    // the stack of a sync with this code is in the trace
	uint32_t is_forwarder : 1; // code of the Swift overlay that calls a closure of the program
	uint32_t is_job : 1;       // runs a job of Swift's concurrency runtime
	uint32_t may_be_thunk : 1; // a closure of the program that captured code: it may only call that code
};

// The block that this thread has submitted repeatedly: see qs_last_block in blocks.h.
struct qs_last_block {
	uintptr_t invoke;
	uintptr_t function;     // of the closure that it captures
	uintptr_t callee;       // of a closure of the Swift overlay; 0 otherwise
	uint32_t session;
	uint32_t code;
};

// Cache entry for a call of a hook: its call site in the program.
struct qs_call_site {
	uintptr_t address;
	uint32_t session;
	uint32_t code;
	uint32_t stack;      // the stack that was taken last there
	bool has_stack;
};

// Cache entry for a return address of a hook in the Swift overlay: the distance from the hook's frame to the program's
// return address.
struct qs_known_frame {
	uintptr_t caller;
	uint32_t bytes;
};

// The thread-local storage of the preload object has at most 1,600 bytes, so that it can be opened late: glibc reserves
// 1,664 bytes for such objects.
enum { QS_KNOWN_CODES = 32, QS_CALL_SITES = 8, QS_KNOWN_FRAMES = 4 };

// Per-thread state of the hooks.
struct qs_hook_thread {
	struct qs_sync_call *entering;  // the sync that this thread is about to enter, until its code begins
	uint64_t root;                  // serial number of a worker thread's root queue, 0 for other threads
	bool is_worker;
	bool keeps_nodes;               // the destructor that returns the nodes is set
	bool is_caching;                // a cache entry is being written: a signal handler must not change the caches
	uint8_t last_known;             // place of the block's code that was looked up last
	uint32_t node_count;
	uint32_t site_calls;            // calls that are counted for sampling of stacks
	uint32_t last_block_stack;      // the session that has the stack of a sync with `last_block`
	struct qs_context_node *nodes;  // free nodes
	struct qs_last_block last_block;
	struct qs_known_code known[QS_KNOWN_CODES];
	struct qs_call_site sites[QS_CALL_SITES];
	struct qs_known_frame frames[QS_KNOWN_FRAMES];
};

extern __thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

// Call before and after a cache entry is written. Returns false in a signal handler that interrupted another write; the
// handler must not write then. It may read the caches, because an incomplete entry has session 0.
static inline bool qs_caching_begin(void)
{
	if (qs_hook_thread.is_caching) return false;
	qs_hook_thread.is_caching = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

static inline void qs_caching_end(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	qs_hook_thread.is_caching = false;
}

// Writes an entry; its `session` is written last.
#define qs_cache_entry(place, entry) \
	do { \
		__typeof__(entry) qs_entry = (entry); \
		uint32_t qs_entry_session = qs_entry.session; \
		qs_entry.session = 0; \
		__atomic_store_n(&(place)->session, 0, __ATOMIC_RELAXED); \
		__atomic_signal_fence(__ATOMIC_SEQ_CST); \
		*(place) = qs_entry; \
		__atomic_signal_fence(__ATOMIC_SEQ_CST); \
		__atomic_store_n(&(place)->session, qs_entry_session, __ATOMIC_RELAXED); \
	} while (0)

#endif
