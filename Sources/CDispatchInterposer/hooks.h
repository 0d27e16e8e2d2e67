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

// For slow paths that hooks call: they keep the registers that other functions may change, else each hook would save
// its own on the fast path too.
#if defined(__has_attribute)
#if __has_attribute(preserve_most)
#define QS_SLOW_PATH __attribute__((preserve_most, noinline))
#endif
#endif
#ifndef QS_SLOW_PATH
#define QS_SLOW_PATH __attribute__((noinline))
#endif

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
extern struct qs_text_range qs_hooks_text; // known from qs_interposer_prepare on

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

// Whether this call of a hook is the program's own, and a session records. Use in the hook itself: it looks at the
// return address.
#define qs_hook_records() \
	(qs_is_recording() && qs_likely(!qs_is_in_libdispatch(__builtin_return_address(0)) \
		&& !qs_is_in_hooks(__builtin_return_address(0))))

// The code that calls the hook, as a number for the `code` fields.
#define qs_caller_code() qs_code_address((uint64_t)(uintptr_t)__builtin_return_address(0), 0)

// What passes from one thread to another through libdispatch does so in an order that ThreadSanitizer cannot see: it is
// told.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern void __tsan_release(void *address);
extern void __tsan_acquire(void *address);
#define qs_hand_over(item) __tsan_release((void *)(uintptr_t)(item))
#define qs_take_over(item) __tsan_acquire((void *)(uintptr_t)(item))
#endif
#endif
#ifndef qs_hand_over
#define qs_hand_over(item) ((void)(item))
#define qs_take_over(item) ((void)(item))
#endif

struct qs_sync_call;
struct qs_context_node;

// Cache entry for a (captured word, function) pair.
struct qs_known_code {
	uintptr_t captured;
	uintptr_t invoke;
	uint32_t session;
	uint32_t code : 29;
	uint32_t has_stack : 1;    // the stack of a sync with this code is in the trace
	uint32_t is_forwarder : 1; // it is the Swift overlay's own, and calls a closure of the program
	uint32_t is_job : 1;       // Swift's concurrency runtime runs a job with it
};

enum { QS_KNOWN_CODES = 64 };

// What the hooks know about this thread.
struct qs_hook_thread {
	struct qs_sync_call *entering;  // the sync that this thread is about to enter, until its code begins
	uint32_t root;                  // a worker thread's root queue, 0 for other threads
	bool is_worker;
	bool keeps_nodes;               // the destructor that gives them back is set
	uint32_t node_count;
	uint32_t site_calls;             // calls whose stack would be taken, were there not so many of them
	struct qs_context_node *nodes;  // free ones
	struct qs_known_code known[QS_KNOWN_CODES];
};

extern __thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

#endif
