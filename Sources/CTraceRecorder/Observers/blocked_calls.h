// Samples where a thread is that has been off-CPU for long: its system call, and the call stack. The kernel reports the
// call and the stack pointer (/proc/self/task/TID/syscall). The stack is copied from memory (blocked_stack.h) through
// the kernel, because it can be unmapped at any time. The sampled thread is not disturbed, and no lock is taken.
#ifndef QS_BLOCKED_CALLS_H
#define QS_BLOCKED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { QS_BLOCKED_FRAMES = 32 };

struct qs_blocked_call {
	const char *name;  // of the system call; empty outside of one (as in a page fault), or for an unknown call
	uint8_t descriptor; // enum qs_descriptor_kind; unknown for a call that has no descriptor, or several
	uint16_t count;
	uint64_t frames[QS_BLOCKED_FRAMES]; // innermost first: the current address, then return addresses
};

enum qs_thread_state {
	QS_THREAD_UNKNOWN,  // the kernel does not report it
	QS_THREAD_RUNNABLE, // running, or waiting for a processor
	QS_THREAD_BLOCKED,  // off-CPU, and waiting for something other than a processor
};

// Reads the state of a thread: one read of one small file. Context: as below.
enum qs_thread_state qs_thread_state_read(uint32_t tid);

// Notes the mode of the calling thread's system call filter. Context: the recorder thread, at the start of a session.
void qs_blocked_calls_start(void);

// Whether threads may be sampled: not after the program has installed a system call filter, because the filter may kill
// the process for the recorder's system calls. Context: the recorder thread.
bool qs_blocked_calls_are_allowed(void);

// Samples a thread of this process. Returns false when the kernel does not report its position, or the thread is
// running. The result is valid only if the thread stayed off-CPU during the call. Allocates: no. Context: one thread at
// a time.
bool qs_blocked_call_read(uint32_t tid, struct qs_blocked_call *call);

#endif
