#ifndef CKERNEL_H
#define CKERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens an event of this process that counts nothing, and keeps it open until the process ends. While any process has
// an event, the kernel checks for events at every context switch. For the first event of a machine it patches its
// scheduler and waits for all processors, which blocks perf_event_open for some 10 to 20 ms. Programs that are started
// after this call do not have to wait for that.
//
// Returns false when the kernel refuses, as in many containers. It then refuses the events of the programs too, which
// therefore do not wait. Further calls do nothing. Linux only.
bool qs_perf_events_arm(void);

// Whether the file system of this file supports hole punching, which a flight recorder needs. Returns false only if the
// kernel reports that it does not. The file must be open for writing, and empty.
bool qs_can_make_holes(int file);

// From now on, a descendant of this process whose parent ends becomes a child of this process, not of the init process.
void qs_adopt_orphans(void);

// Copies memory of another process. Requires the right to trace it (ptrace(2)). The process is not stopped.
//
// Returns the number of copied bytes, which is smaller than `size` if a page of the rest cannot be read, or a negative
// error number.
int64_t qs_process_read(int pid, uint64_t address, void *buffer, size_t size);

// The state of a thread at one instant.
struct qs_thread_snapshot {
	// By DWARF number. On x86-64 the last one is rip (16). On aarch64 31 is sp and 32 is pc.
	uint64_t registers[33];
	uint64_t stack_pointer;
	// The address of the first copied byte of the stack, and the number of copied bytes.
	uint64_t stack_begin;
	uint64_t stack_size;
	// Upper limit of the time for which the thread was stopped.
	uint64_t stopped_ns;
};

// Stops a thread of another process for the time of a copy of its registers and the top of its stack. The other threads
// of the process are not stopped. A thread that does not stop within 100 ms is not read: it is in an
// uninterruptible system call.
//
// The kernel restarts most interrupted system calls. epoll_wait, semop, msgrcv, rt_sigtimedwait and calls on sockets
// with a timeout return EINTR, so the caller must not stop threads in these calls.
//
// Returns 0, or an error number: EPERM without the right to trace the process or while another process traces it, ESRCH
// when the thread has ended, ETIMEDOUT when it did not stop, ENOEXEC for a thread in 32-bit mode, ENOTSUP on other
// processors than x86-64 and aarch64. Not thread safe for one tid. Linux only.
int qs_thread_snapshot_read(int tid, struct qs_thread_snapshot *snapshot, void *stack, size_t capacity);

// A whole-screen program on a terminal: reads keys without echo, and draws on the alternate screen.
//
// Switches the terminal over and installs handlers. Signals that ask the process to end, to stop or to draw again are
// left to the caller: see qs_screen_next_signal. Every other end restores the terminal first: exit, a fault, and a
// second request to end while the caller has not read the first one. SIGKILL cannot be handled.
//
// Returns false when the terminal cannot be switched. May be called again after qs_screen_leave. Not thread safe.
bool qs_screen_enter(int input, int output);

// Restores the terminal. Does nothing when it is restored already. Context: any, also a signal handler.
void qs_screen_leave(void);

// A descriptor that is readable when a signal has arrived.
int qs_screen_signals(void);

// The number of the next signal that has arrived, 0 for none.
int qs_screen_next_signal(void);

// Connects to an abstract socket of messages (SOCK_SEQPACKET). Returns the descriptor, which does not block, or a
// negative error number. `*process` and `*user`: the process that listens, 0 if it is in another PID namespace, and its
// user.
int qs_control_connect(const char *name, int *process, uint32_t *user);

// Sends a message without waiting, and without SIGPIPE. Returns the number of bytes, or a negative error number.
int64_t qs_control_send(int file, const void *request, size_t size);

// Receives a message. Returns its number of bytes, 0 when the peer has closed the connection, or a negative error
// number: EAGAIN when there is no message.
int64_t qs_control_receive(int file, void *answer, size_t size);

#endif
