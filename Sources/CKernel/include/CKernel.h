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

// Writes memory of another process, also memory that the process itself cannot write, such as its code. The pages of a
// file become private copies of the process. Requires the right to trace the process.
//
// `tid` is the process or one of its threads. A kernel with proc_mem.force_override=ptrace permits writes to code only
// through a thread that this process traces.
//
// Returns 0, or an error number.
int qs_process_write(int tid, uint64_t address, const void *bytes, size_t size);

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

// A thread of another process that this process has stopped in a system call.
struct qs_stopped_thread;

struct qs_stopped_call {
	int64_t number;
	uint64_t arguments[6];
	uint64_t stack_pointer, program_counter;
	uint64_t thread_pointer; // fs_base, the address of glibc's data of the thread
};

// Stops a thread that is blocked in a system call. The other threads of the process are not stopped. Only the thread
// that has stopped it may run code in it and continue it. It must continue soon: while it is stopped, a signal or the
// end of this process leaves the process in the middle of the change.
//
// Returns 0, or an error number. The thread then continues unchanged: EAGAIN when it is in no call that can be
// interrupted without an effect, or received a signal; ESRCH when it has ended; EPERM without the right to trace
// it, or while another process traces it; ENOTSUP on other processors than x86-64. After ETIMEDOUT, the thread stops
// when it leaves the kernel, until this process ends.
int qs_thread_stop(int tid, struct qs_stopped_thread **thread, struct qs_stopped_call *call);

// Code in the memory of another process.
struct qs_injected_code {
	uint64_t begin;    // called with `argument` as its first argument
	uint64_t trap;     // the instruction that ends it
	uint64_t argument;
};

// Runs code in a stopped thread, on its stack and with its signals blocked, for at most 2 s.
//
// Returns 0 with the value of the code, or an error number: EFAULT when the code has failed, ETIMEDOUT when it did not
// end, ESRCH when the thread has ended. The thread is stopped, and must be continued, also after an error.
int qs_thread_run(struct qs_stopped_thread *thread, const struct qs_injected_code *code, uint64_t *result);

// Restores all registers and the signal mask, and detaches the thread. The kernel restarts the system call. A call that
// returns EINTR after a stop, such as epoll_wait, is restarted too, with its full timeout. Frees `thread`.
//
// Returns the time in nanoseconds for which the thread was stopped, an upper limit.
uint64_t qs_thread_continue(struct qs_stopped_thread *thread);

// Addresses of functions of libc in another process.
struct qs_loader_functions {
	uint64_t pthread_create, dlopen, dlsym, dlerror, pthread_detach, pthread_self, errno_location;
};

// Makes code that opens a shared object in another process, on a new thread, and calls a function of the object without
// arguments. The result of the code is the address of a page for `qs_loader_read`, or a negative error number.
//
// `address` is its place in the other process, a multiple of 16. `entry` is the name of the function.
//
// Returns the number of bytes, 0 if they are more than `capacity` or on other processors than x86-64.
size_t qs_loader_make(const struct qs_loader_functions *functions, const char *path, const char *entry,
	uint64_t address, void *buffer, size_t capacity, struct qs_injected_code *code);

enum qs_loader_state {
	QS_LOADER_RUNS,
	QS_LOADER_SUCCEEDED, // the object is open, and `value` is the result of the function
	QS_LOADER_FAILED,    // there is a message of dlerror
	QS_LOADER_GONE,      // the process has ended
};

struct qs_loader_report {
	int32_t tid; // of the new thread, in the PID namespace of the process
	int32_t value;
};

// Reads the result of the new thread.
enum qs_loader_state qs_loader_read(int pid, uint64_t page, struct qs_loader_report *report, char *message,
	size_t size);

// Lets the new thread end, which unmaps the page. Without this call it ends after 30 s.
bool qs_loader_acknowledge(int pid, uint64_t page);

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
