// Where a thread is that has been off its processor for long: the system call, and who called that. The kernel tells
// the call and the stack pointer (/proc/self/task/TID/syscall); the stack is read as it lies there (blocked_stack.h),
// by the kernel too, as it may go away meanwhile. The thread itself is not disturbed, and no lock is taken.
#ifndef QS_BLOCKED_CALLS_H
#define QS_BLOCKED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { QS_BLOCKED_FRAMES = 32 };

struct qs_blocked_call {
	const char *name;  // of the system call; empty where it is in none, such as in a page fault, or not a known one
	uint16_t count;
	uint64_t frames[QS_BLOCKED_FRAMES]; // the innermost function first: where it is, then return addresses
};

enum qs_thread_state {
	QS_THREAD_UNKNOWN,  // the kernel does not tell
	QS_THREAD_RUNNABLE, // it has a processor, or waits for one
	QS_THREAD_BLOCKED,  // it has left its processor, and waits for something else
};

// Asks for no more than that: one small file. Context: as below.
enum qs_thread_state qs_thread_state_read(uint32_t tid);

// Asks about a thread of this process. False where the kernel does not tell, or the thread runs. What it says is only
// of use when the thread has stayed off its processor meanwhile. Allocates: no. Context: one thread.
bool qs_blocked_call_read(uint32_t tid, struct qs_blocked_call *call);

#endif
