#define _GNU_SOURCE
#include "CKernel.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "thread_stop.h"

// A thread in an uninterruptible system call does not stop. The wait ends after this time.
static const uint64_t stop_limit_ns = 100000000;
// Bytes below the stack pointer that a function may use (the red zone of the x86-64 ABI).
static const uint64_t red_zone = 128;

static int read_registers(int tid, struct qs_thread_snapshot *snapshot)
{
	struct user_regs_struct user;
	memset(&user, 0, sizeof user);
	struct iovec buffer = {.iov_base = &user, .iov_len = sizeof user};
	if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &buffer) != 0) return errno;
	// A thread in 32-bit mode has fewer registers.
	if (buffer.iov_len != sizeof user) return ENOEXEC;
#if defined(__x86_64__)
	const uint64_t values[] = {
		user.rax, user.rdx, user.rcx, user.rbx, user.rsi, user.rdi, user.rbp, user.rsp, user.r8, user.r9,
		user.r10, user.r11, user.r12, user.r13, user.r14, user.r15, user.rip,
	};
	memcpy(snapshot->registers, values, sizeof values);
	snapshot->stack_pointer = user.rsp;
#elif defined(__aarch64__)
	memcpy(snapshot->registers, user.regs, sizeof user.regs);
	snapshot->registers[31] = user.sp;
	snapshot->registers[32] = user.pc;
	snapshot->stack_pointer = user.sp;
#else
	return ENOTSUP;
#endif
	return 0;
}

int qs_thread_snapshot_read(int tid, struct qs_thread_snapshot *snapshot, void *stack, size_t capacity)
{
	snapshot->stack_size = 0;
	snapshot->stopped_ns = 0;
	qs_sleep_exactly();
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) return errno;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0) return errno;
	int status = 0;
	uint64_t running = 0;
	int error = qs_wait_for_stop(tid, stop_limit_ns, &status, &running);
	// A thread that has not stopped cannot be detached. The kernel detaches it when this process ends.
	if (error != 0) return error;
	error = read_registers(tid, snapshot);
	if (error == 0) {
		snapshot->stack_begin = snapshot->stack_pointer - red_zone;
		int64_t size = qs_process_read(tid, snapshot->stack_begin, stack, capacity);
		snapshot->stack_size = size > 0 ? (uint64_t)size : 0;
	}
	// A signal may have arrived before the interruption. It is delivered when the thread continues.
	uintptr_t signal = qs_is_interruption(status) ? 0 : (uintptr_t)WSTOPSIG(status);
	ptrace(PTRACE_DETACH, tid, NULL, (void *)signal);
	snapshot->stopped_ns = qs_monotonic_ns() - running;
	return error;
}
