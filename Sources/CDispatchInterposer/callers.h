// Finds the caller of a hook in the program. Most calls from Swift reach libdispatch through the overlay
// (libswiftDispatch). The overlay's return address does not identify code of the program, so its caller is searched.
#ifndef QS_CALLERS_H
#define QS_CALLERS_H

#include "hooks.h"
#include "text_map.h"

// The innermost return address outside of the overlay, for the return address of a hook and the hook's own frame.
// Unwinds the stack (microseconds) until the distance to the return address is proved, then takes about a tenth of that
// time. May allocate before the first session: call it only while a session records.
uintptr_t qs_program_caller(uintptr_t caller, const void *frame);

// The callers of the hook with this frame, found by following frame pointers. The first one is the return address
// of the hook's caller. Ends at the first function without a frame pointer. Returns 0 where loaded code cannot be
// looked up without a lock. Takes half a microsecond, and one more for each frame on another page.
// Context: any thread, any stack.
unsigned qs_frame_pointer_callers(const void *frame, uint64_t *callers, unsigned limit);

// The code number of a call that takes a lock, together with its callers. Most locks are taken by small functions, such
// as NIOLock's, which do not identify the purpose of the lock. `frame` is the frame of the hook or of a function that
// the hook calls.
uint32_t qs_lock_code(uintptr_t caller, const void *frame);

// Slow path: the call site is not in this thread's cache.
QS_SLOW_PATH struct qs_call_site *qs_find_call_site(uintptr_t caller, const void *frame);

static inline struct qs_call_site *qs_call_site_place(uintptr_t address)
{
	return &qs_hook_thread.sites[(uint32_t)address * 0x9E3779B1u / (UINT32_MAX / QS_CALL_SITES + 1)];
}

static inline struct qs_known_frame *qs_known_frame_place(uintptr_t caller)
{
	return &qs_hook_thread.frames[(uint32_t)caller * 0x9E3779B1u / (UINT32_MAX / QS_KNOWN_FRAMES + 1)];
}

// This thread's cache entries, NULL when there is none.
static inline struct qs_call_site *qs_cached_call_site(uintptr_t address)
{
	struct qs_call_site *site = qs_call_site_place(address);
	uint32_t session = qs_session_number();
	if (qs_likely(site->address == address && site->session == session)) return site;
	site = qs_paired_place(qs_hook_thread.sites, site);
	return site->address == address && site->session == session ? site : NULL;
}

static inline const struct qs_known_frame *qs_cached_frame(uintptr_t caller)
{
	const struct qs_known_frame *known = qs_known_frame_place(caller);
	if (qs_likely(known->caller == caller)) return known;
	known = qs_paired_place(qs_hook_thread.frames, known);
	return known->caller == caller ? known : NULL;
}

// The program's caller with its number for the `code` fields, in this thread's cache. Valid until the next call.
static inline struct qs_call_site *qs_call_site(uintptr_t caller, const void *frame)
{
	uintptr_t address = caller;
	if (qs_likely(qs_is_in_known_overlay(caller))) {
		const struct qs_known_frame *known = qs_cached_frame(caller);
		if (qs_unlikely(known == NULL)) return qs_find_call_site(caller, frame);
		address = *(const uintptr_t *)((const char *)frame + known->bytes);
	}
	struct qs_call_site *site = qs_cached_call_site(address);
	return qs_likely(site != NULL) ? site : qs_find_call_site(caller, frame);
}

// For use in the body of a hook.
#define qs_this_call_site() qs_call_site((uintptr_t)__builtin_return_address(0), __builtin_frame_address(0))
#define qs_program_caller_code() (qs_this_call_site()->code)

// The same for a hook that releases a reference: in Swift the runtime makes this call on behalf of the program's code.
// The result is not cached, as such calls are rare.
uintptr_t qs_releaser(uintptr_t caller, const void *frame);

// The number of a stack of this call. `site` is the return address that identifies the call site. Unwinding takes tens
// of microseconds in real programs, so stacks are taken for the first calls of a site, then for one call in
// QS_LATER_STACKS of a thread. The other calls get the stack that was taken last.
__attribute__((noinline)) uint32_t qs_site_stack(uint64_t site);

enum {
	// Stacks are taken for the first 4 calls of a site, then for one call in 4,096 of a thread.
	QS_FIRST_STACKS = 4,
	QS_LATER_STACKS = 1 << 12,
};

// Slow path: takes the stack of this call, or finds the stack that was taken last.
QS_SLOW_PATH uint32_t qs_find_call_site_stack(struct qs_call_site *site);

// The same for a call site. The hook must call it directly.
static inline __attribute__((always_inline)) uint32_t qs_call_site_stack(struct qs_call_site *site)
{
	bool is_known = site->has_stack && ++qs_hook_thread.site_calls % QS_LATER_STACKS != 0;
	return qs_likely(is_known) ? site->stack : qs_find_call_site_stack(site);
}

// Records the stack of this call of sync with this code, unless the trace already has one. The stack separates nested
// syncs from the calls around them. Takes microseconds once per code, then a table lookup. The hook must call it
// directly.
QS_SLOW_PATH void qs_note_sync_stack(uint32_t code);

#endif
