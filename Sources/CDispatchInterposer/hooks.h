// The one pattern of all hooks:
//
//	QS_HOOK(void, dispatch_sync, (void *queue, void *block))
//	{
//		if (!qs_hook_records()) return original(dispatch_sync)(queue, block);   // not recording, or libdispatch calls itself
//		…record, and call an original with the same effect…
//	}
//
// Rules. A hook never blocks, never allocates under libdispatch's locks and never calls a hooked function but through
// `original`. What the API allows (NULL queues, NULL blocks) goes through untouched, and so does what it forbids: the
// crash stays libdispatch's own.
//
// Context: any thread, any time, also before any constructor. The recorder drops events where it cannot record.
#ifndef QS_HOOKS_H
#define QS_HOOKS_H

#include <CTraceRecorder.h>

#include "originals.h"

#define qs_likely(x) __builtin_expect(!!(x), 1)
#define qs_unlikely(x) __builtin_expect(!!(x), 0)

// Three front ends share the hooks. Preloaded, and linked into a dynamic program, a hook has the name of what it
// replaces; where the linker wraps it, its name is what --wrap calls instead.
#ifdef QS_FRONT_END_WRAP
#define QS_HOOK_SYMBOL(name) __wrap_##name
#else
#define QS_HOOK_SYMBOL(name) name
#endif

// All hooks lie in one section, by which a call that comes from a hook is recognised (libdispatch jumps from one of its
// functions to another, so the caller that the second one sees is the caller of the first). For the same reason a hook
// must not jump to an original itself.
#define QS_HOOK(result, name, parameters) \
	__attribute__((visibility("default"), section("qs_hooks"), noinline, disable_tail_calls)) result QS_HOOK_SYMBOL(name) parameters

// What calls an item's or a handler's code lies in another section. A call that is the last thing that code does may be
// a jump: then its return address is in here, and says nothing about the program.
#define QS_RUNNER __attribute__((section("qs_runners"), noinline))

// Hooks of libc's functions. These may jump to the original, which makes the uncontended mutex cheaper: nothing of
// libdispatch's looks at their callers. A sanitizer in the same program has hooks of its own for them, and must not be
// left out: there ours do nothing.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QS_LIBC_HOOK(result, name, parameters) __attribute__((unused)) static result qs_unused_##name parameters
#endif
#endif
#ifndef QS_LIBC_HOOK
#define QS_LIBC_HOOK(result, name, parameters) __attribute__((visibility("default"))) result QS_HOOK_SYMBOL(name) parameters
#endif

// Hooks of the runtime of Swift Concurrency. Those of async functions end in QS_SWIFT_TAIL, as what they call does not
// return to them.
#define QS_SWIFT_HOOK(result, name, parameters) __attribute__((visibility("default"))) result QS_HOOK_SYMBOL(name) parameters
#define QS_SWIFT_TAIL __attribute__((musttail)) return

// Where code lies.
struct qs_text_range {
	uintptr_t begin;
	uintptr_t size;
};

// Where libdispatch's code lies: in a program that contains it, in several places.
#ifdef QS_FRONT_END_WRAP
enum { QS_LIBDISPATCH_TEXTS = 4 };
#else
enum { QS_LIBDISPATCH_TEXTS = 1 };
#endif

extern struct qs_text_range qs_libdispatch_texts[QS_LIBDISPATCH_TEXTS];
extern struct qs_text_range qs_hooks_text;   // known from qs_interposer_prepare on
extern struct qs_text_range qs_runners_text; // so is this

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

// Whether this call of a hook is the program's own, and a session records. Use in the hook itself: it looks at the
// return address.
#define qs_hook_records() \
	(qs_is_recording() && qs_likely(!qs_is_in_libdispatch(__builtin_return_address(0)) \
		&& !qs_is_in_hooks(__builtin_return_address(0))))

// The code that calls the hook, as a number for the `code` fields.
#define qs_caller_code() qs_place_code((uintptr_t)__builtin_return_address(0))

// The number for a return address; 0, unknown, where that says nothing about the program.
static inline uint32_t qs_place_code(uintptr_t address)
{
	return qs_unlikely(qs_is_in_runners(address)) ? 0 : qs_code_address(address, 0);
}

// What passes from one thread to another through libdispatch does so in an order that ThreadSanitizer cannot see: it is
// told.
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

// Two places in a cache are a pair: what another entry takes the place of is kept in the other one.
#define qs_place_beside(cache, place) (&(cache)[((place) - (cache)) ^ 1])

// Cache entry for a (captured word, function) pair.
struct qs_known_code {
	uint64_t key;              // of the pair: see blocks.h
	uint32_t session;
	uint32_t code : 21;
	uint32_t path : 7;         // of a forwarder, to what it calls: see blocks.c; 0: not known
	uint32_t has_stack : 1;    // the stack of a sync with this code is in the trace
	uint32_t is_forwarder : 1; // it is the Swift overlay's own, and calls a closure of the program
	uint32_t is_job : 1;       // Swift's concurrency runtime runs a job with it
	uint32_t may_be_thunk : 1; // a closure of the program that has captured code: maybe to call nothing but that
};

// Cache entry for a call of a hook: where in the program it comes from.
struct qs_call_site {
	uintptr_t address;
	uint32_t session;
	uint32_t code;
	uint32_t stack;      // that was taken there last, as this thread knows
	bool has_stack;
};

// Cache entry for a return address of a hook in the Swift overlay: how far from the hook's frame the program's return
// address lies.
struct qs_known_frame {
	uintptr_t caller;
	uint32_t bytes;
};

enum { QS_KNOWN_CODES = 64, QS_CALL_SITES = 32, QS_KNOWN_FRAMES = 32 };

// What the hooks know about this thread.
struct qs_hook_thread {
	struct qs_sync_call *entering;  // the sync that this thread is about to enter, until its code begins
	uint32_t root;                  // a worker thread's root queue, 0 for other threads
	bool is_worker;
	bool keeps_nodes;               // the destructor that gives them back is set
	bool is_caching;                // a cache entry is being written: a signal handler leaves the caches as they are
	uint32_t node_count;
	uint32_t site_calls;             // calls whose stack would be taken, were there not so many of them
	struct qs_context_node *nodes;  // free ones
	struct qs_known_code known[QS_KNOWN_CODES];
	struct qs_call_site sites[QS_CALL_SITES];
	struct qs_known_frame frames[QS_KNOWN_FRAMES];
};

extern __thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

// Stand around a change of a cache. False in a signal handler that interrupted another change: then the handler changes
// nothing. It may read the caches, as an entry that is not whole belongs to no session.
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

// Writes an entry with a `session`, which comes last.
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
