// Who calls. Most of Swift's calls reach libdispatch through the overlay (libswiftDispatch), whose code says nothing
// about the program: for calls that are rare, or that block, its caller is looked for.
#ifndef QS_CALLERS_H
#define QS_CALLERS_H

#include "hooks.h"
#include "text_map.h"

// The innermost return address outside of the overlay, for the return address of a hook. Slow (a microsecond) when that
// is in the overlay, and may allocate before the first session: use it while one records.
uintptr_t qs_program_caller(uintptr_t caller);

// The code that calls the hook, or the overlay's function that does, as a number for the `code` fields.
#define qs_program_caller_code() qs_code_address(qs_program_caller((uintptr_t)__builtin_return_address(0)), 0)

#endif
