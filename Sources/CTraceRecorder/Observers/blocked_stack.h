// Call stack of a thread that is blocked in a system call, reconstructed from a copy of its stack memory.
//
//	sp ┌ … ┬ return into usleep ┬ … ┬ what an earlier call left ┬ … ┬ return into pollOnce ┬ …
//	       └ the call in front   └ calls another function: no caller    └ calls usleep
//	         goes to nanosleep
//
// Functions with frame pointers are found by these. The innermost functions often have none, as in most of the C
// library, and most words that look like return addresses are leftovers of calls that have returned. Therefore a word
// is accepted when the call instruction before it targets the function that was found previously. On processors other
// than x86-64 the call instruction is not decoded: there, only frame pointers and the first such word are accepted.
#ifndef QS_BLOCKED_STACK_H
#define QS_BLOCKED_STACK_H

#include <stdint.h>

// Writes `address`, where the thread is, and then at most `most` - 1 return addresses of its stack, innermost first.
// Returns the number of frames. Allocates: no. Context: one thread at a time.
uint16_t qs_blocked_stack_read(uintptr_t address, uintptr_t pointer, uint64_t *frames, uint16_t most);

#endif
