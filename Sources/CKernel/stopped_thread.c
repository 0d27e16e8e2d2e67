// Runs code in a thread of another process.
//
//	         SEIZE, INTERRUPT                 trap                       DETACH
//	futex(…) ───────┤ registers saved ─▸ code ─┤ registers restored ─────────┤ futex(…), restarted by the kernel
//	                └────────────── the other threads continue ──────────────┘
#define _GNU_SOURCE
#include "CKernel.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "thread_stop.h"

#if defined(__x86_64__)

enum {
	// Room for the vector registers. AVX-512 needs 2.7 KB and AMX 11 KB.
	VECTOR_BYTES = 32 * 1024,
	RED_ZONE = 128,
	// The kernel's own results of interrupted system calls, which it restarts: ERESTARTSYS, ERESTARTNOINTR,
	// ERESTARTNOHAND and ERESTART_RESTARTBLOCK. Programs never see them.
	RESTART = 512, RESTART_NO_INTERRUPT = 513, RESTART_NO_HANDLER = 514, RESTART_BLOCK = 516,
};

struct qs_stopped_thread {
	int tid;
	int signal;              // delivered when the thread continues, 0: none
	uint64_t running_ns;     // the last time at which the thread was seen running
	bool has_mask, has_vector;
	uint64_t mask;           // blocked signals
	struct user_regs_struct registers;
	size_t vector_size;
	char vector[VECTOR_BYTES] __attribute__((aligned(64)));
};

// Signals that the processor raises. They stay unblocked: the kernel resets the handler of a blocked one to the
// default, and the program would lose its handler of traps.
static uint64_t blocked_signals(void)
{
	const int synchronous[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	uint64_t mask = ~(uint64_t)0;
	for (size_t index = 0; index < sizeof synchronous / sizeof synchronous[0]; index++) {
		mask &= ~((uint64_t)1 << (synchronous[index] - 1));
	}
	return mask;
}

static int get_registers(int tid, struct user_regs_struct *registers)
{
	struct iovec buffer = {.iov_base = registers, .iov_len = sizeof *registers};
	if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &buffer) != 0) return errno;
	// A thread in 32-bit mode has fewer registers.
	return buffer.iov_len == sizeof *registers ? 0 : ENOEXEC;
}

static bool set_registers(int tid, struct user_regs_struct *registers)
{
	struct iovec buffer = {.iov_base = registers, .iov_len = sizeof *registers};
	return ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &buffer) == 0;
}

// Whether the thread is inside a system call that was interrupted before it had an effect.
static bool is_in_interrupted_call(const struct user_regs_struct *registers)
{
	if ((int64_t)registers->orig_rax < 0) return false;
	switch (-(int64_t)registers->rax) {
	case RESTART: case RESTART_NO_INTERRUPT: case RESTART_NO_HANDLER: case RESTART_BLOCK: return true;
	// epoll_wait and others return it to the program: see qs_thread_continue.
	case EINTR: return registers->orig_rax != SYS_restart_syscall;
	default: return false;
	}
}

static int save(struct qs_stopped_thread *thread)
{
	int error = get_registers(thread->tid, &thread->registers);
	if (error != 0) return error;
	if (!is_in_interrupted_call(&thread->registers)) return EAGAIN;
	struct iovec buffer = {.iov_base = thread->vector, .iov_len = sizeof thread->vector};
	if (ptrace(PTRACE_GETREGSET, thread->tid, (void *)NT_X86_XSTATE, &buffer) != 0) return errno;
	// The kernel fills the buffer to its end when the registers do not fit.
	if (buffer.iov_len == sizeof thread->vector) return ENOTSUP;
	thread->vector_size = buffer.iov_len;
	return 0;
}

int qs_thread_stop(int tid, struct qs_stopped_thread **stopped, struct qs_stopped_call *call)
{
	static const uint64_t limit_ns = 5000000000;
	struct qs_stopped_thread *thread = calloc(1, sizeof *thread);
	if (thread == NULL) return ENOMEM;
	thread->tid = tid;
	qs_sleep_exactly();
	int status = 0, error = 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0) error = errno;
	if (error == 0) error = qs_wait_for_stop(tid, limit_ns, &status, &thread->running_ns);
	if (error != 0) {
		free(thread);
		return error;
	}
	// A signal has arrived before the interruption, or the whole process stops.
	bool is_own = qs_is_interruption(status) && WSTOPSIG(status) == SIGTRAP;
	error = is_own ? save(thread) : EAGAIN;
	if (error != 0) {
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(uintptr_t)(qs_is_interruption(status) ? 0 : WSTOPSIG(status)));
		free(thread);
		return error;
	}
	const struct user_regs_struct *registers = &thread->registers;
	*call = (struct qs_stopped_call){
		.number = (int64_t)registers->orig_rax,
		.arguments = {registers->rdi, registers->rsi, registers->rdx, registers->r10, registers->r8, registers->r9},
		.stack_pointer = registers->rsp, .program_counter = registers->rip, .thread_pointer = registers->fs_base};
	*stopped = thread;
	return 0;
}

// Blocks the signals of the program. Their handlers must not run on top of the injected code.
static bool block_signals(struct qs_stopped_thread *thread)
{
	if (ptrace(PTRACE_GETSIGMASK, thread->tid, (void *)sizeof thread->mask, &thread->mask) != 0) return false;
	thread->has_mask = true;
	uint64_t blocked = blocked_signals();
	return ptrace(PTRACE_SETSIGMASK, thread->tid, (void *)sizeof blocked, &blocked) == 0;
}

// The signal of a stop that a process has sent; 0 for one of the processor.
static int sent_signal(int tid, int status)
{
	siginfo_t information;
	if (ptrace(PTRACE_GETSIGINFO, tid, NULL, &information) != 0) return 0;
	return information.si_code <= 0 ? WSTOPSIG(status) : 0;
}

// Continues the thread until it executes the trap. Returns 0, or an error number: EFAULT when the code has failed.
static int run_to(struct qs_stopped_thread *thread, uint64_t trap, uint64_t end_ns, struct user_regs_struct *registers)
{
	uintptr_t signal = 0;
	for (;;) {
		if (ptrace(PTRACE_CONT, thread->tid, NULL, (void *)signal) != 0) return errno;
		uint64_t now = qs_monotonic_ns(), running;
		int status;
		int error = qs_wait_for_stop(thread->tid, now < end_ns ? end_ns - now : 0, &status, &running);
		if (error != 0) return error;
		signal = 0;
		// A group stop. The kernel stops the thread after the detachment.
		if (qs_is_interruption(status)) continue;
		error = get_registers(thread->tid, registers);
		if (error != 0) return error;
		// After the trap, the program counter is behind it.
		if (WSTOPSIG(status) == SIGTRAP && registers->rip == trap + 1) return 0;
		int sent = sent_signal(thread->tid, status);
		if (sent == 0) return EFAULT;
		if (sent == SIGSTOP) signal = SIGSTOP;
		else thread->signal = sent;
	}
}

int qs_thread_run(struct qs_stopped_thread *thread, const struct qs_injected_code *code, uint64_t *result)
{
	static const uint64_t limit_ns = 2000000000;
	if (!block_signals(thread)) return errno;
	struct user_regs_struct registers = thread->registers;
	// Otherwise the kernel would restart the interrupted call.
	registers.orig_rax = (unsigned long)-1;
	registers.rip = code->begin;
	registers.rdi = code->argument;
	registers.rsp = (registers.rsp - RED_ZONE) & ~(uint64_t)15;
	thread->has_vector = true;
	if (!set_registers(thread->tid, &registers)) return errno;
	int error = run_to(thread, code->trap, qs_monotonic_ns() + limit_ns, &registers);
	if (error == 0) *result = registers.rax;
	if (error != ETIMEDOUT) return error;
	// It waits in the injected code, for example for a lock.
	int status;
	uint64_t running;
	ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL);
	qs_wait_for_stop(thread->tid, limit_ns, &status, &running);
	return ETIMEDOUT;
}

uint64_t qs_thread_continue(struct qs_stopped_thread *thread)
{
	struct user_regs_struct *registers = &thread->registers;
	// The kernel then begins the call again, unless a handler of the program runs for another signal.
	if (-(int64_t)registers->rax == EINTR) registers->rax = (uint64_t)-(int64_t)RESTART_NO_HANDLER;
	if (thread->has_mask) ptrace(PTRACE_SETSIGMASK, thread->tid, (void *)sizeof thread->mask, &thread->mask);
	if (thread->has_vector) {
		struct iovec buffer = {.iov_base = thread->vector, .iov_len = thread->vector_size};
		ptrace(PTRACE_SETREGSET, thread->tid, (void *)NT_X86_XSTATE, &buffer);
	}
	set_registers(thread->tid, registers);
	ptrace(PTRACE_DETACH, thread->tid, NULL, (void *)(uintptr_t)thread->signal);
	uint64_t stopped_ns = qs_monotonic_ns() - thread->running_ns;
	free(thread);
	return stopped_ns;
}

#else

struct qs_stopped_thread { int tid; };

int qs_thread_stop(int tid, struct qs_stopped_thread **stopped, struct qs_stopped_call *call)
{
	(void)tid, (void)stopped, (void)call;
	return ENOTSUP;
}

int qs_thread_run(struct qs_stopped_thread *thread, const struct qs_injected_code *code, uint64_t *result)
{
	(void)thread, (void)code, (void)result;
	return ENOTSUP;
}

uint64_t qs_thread_continue(struct qs_stopped_thread *thread)
{
	(void)thread;
	return 0;
}

#endif
