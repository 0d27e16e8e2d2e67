// Who calls. Most of Swift's calls reach libdispatch through the overlay (libswiftDispatch), whose code says nothing
// about the program: its caller is looked for.
#ifndef QS_CALLERS_H
#define QS_CALLERS_H

#include "hooks.h"
#include "text_map.h"

// The innermost return address outside of the overlay, for the return address of a hook and the hook's own frame.
// Unwinds the stack, microseconds, only until it has learned how far the overlay's function keeps it; then it costs a
// tenth of one. May allocate before the first session: use it while one records.
uintptr_t qs_program_caller(uintptr_t caller, const void *frame);

// For the hook that it stands in.
#define qs_this_program_caller() qs_program_caller((uintptr_t)__builtin_return_address(0), __builtin_frame_address(0))

// The same as a number for the `code` fields.
#define qs_program_caller_code() qs_code_address(qs_this_program_caller(), 0)

// The same for a hook that gives a reference back: in Swift that is the runtime's doing, on behalf of the code that is
// looked for. Not remembered, for calls that are rare.
uintptr_t qs_releaser(uintptr_t caller, const void *frame);

// The number of a stack of this call. `site` is the return address that stands for the place of the call. Unwinding
// takes tens of microseconds in real programs, so of the calls from one place the first few are taken, then one of
// many: the others get the one that was taken last.
uint32_t qs_site_stack(uint64_t site);

// Records the stack of this call of sync with this code, unless one is in the trace already: so that a nest of syncs
// can be told from the calls around it. Microseconds once for a code, a look into a table else. To be called by the
// hook itself.
QS_SLOW_PATH void qs_note_sync_stack(uint32_t code);

#endif
