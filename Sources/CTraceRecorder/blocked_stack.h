// The stack of a thread that is blocked in a system call, as it lies in memory: who called that.
//
//	sp ┌ … ┬ return into usleep ┬ … ┬ what an earlier call left ┬ … ┬ return into pollOnce ┬ …
//	       └ the call in front   └ calls another function: no caller    └ calls usleep
//	         goes to nanosleep
//
// Functions that keep frame pointers are found by these. The innermost ones often keep none, as most of the C library,
// and most words that look like return addresses are left by calls that have returned. So a word counts when the call
// in front of it goes to the function that was found before; on processors other than x86-64, where the instruction is
// not read, only frame pointers and the first such word do.
#ifndef QS_BLOCKED_STACK_H
#define QS_BLOCKED_STACK_H

#include <stdint.h>

// Writes where the thread is, `address`, and the return addresses on its stack, `most` at most, the innermost first.
// Returns how many. Allocates: no. Context: one thread.
uint16_t qs_blocked_stack_read(uintptr_t address, uintptr_t pointer, uint64_t *frames, uint16_t most);

#endif
