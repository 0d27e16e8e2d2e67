// A program installs a filter by prctl() or by the system call seccomp(). The filter is evaluated for the system calls
// that the recorder makes on threads of the program. When it kills for one of them, the thread is noted before the
// filter acts.
#define _GNU_SOURCE
#include "sandboxes.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "context_nodes.h"
#include "raw_system_call.h"

// From linux/prctl.h, which the C library's header includes with another declaration of prctl.
enum { SET_SECCOMP = 22, GET_SECCOMP = 21, GET_NAME = 16 };
// From Linux 4.14.
#ifndef SECCOMP_RET_ACTION_FULL
#define SECCOMP_RET_ACTION_FULL 0xFFFF0000u
#endif
#ifndef SECCOMP_RET_LOG
#define SECCOMP_RET_LOG 0x7FFC0000u
#endif
enum { POPULATE_WRITE = 23 }; // MADV_POPULATE_WRITE, since Linux 5.14

#if defined(__x86_64__)
#define QS_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define QS_AUDIT_ARCH AUDIT_ARCH_AARCH64
#else
#define QS_AUDIT_ARCH 0
#endif

// The system calls of the recorder on threads of the program, with the arguments by which filters distinguish them.
static const struct seccomp_data calls[] = {
	{.nr = SYS_prctl, .args = {GET_NAME}},
	{.nr = SYS_prctl, .args = {GET_SECCOMP}},
	{.nr = SYS_process_vm_readv},
	{.nr = SYS_getpid},
	{.nr = SYS_gettid},
	{.nr = SYS_madvise, .args = {0, 0, POPULATE_WRITE}},
	{.nr = SYS_mmap, .args = {0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1}},
	{.nr = SYS_futex, .args = {0, FUTEX_WAKE_PRIVATE}},
	{.nr = SYS_futex, .args = {0, FUTEX_WAIT_BITSET_PRIVATE}},
	{.nr = SYS_sched_yield},
	{.nr = SYS_nanosleep},
	{.nr = SYS_getrusage, .args = {RUSAGE_THREAD}},
	{.nr = SYS_clock_gettime, .args = {CLOCK_PROCESS_CPUTIME_ID}},
	{.nr = SYS_readlinkat},
#ifdef SYS_readlink
	{.nr = SYS_readlink},
#endif
	{.nr = SYS_membarrier},
};

static uint32_t load(const struct seccomp_data *data, uint32_t offset)
{
	return offset <= sizeof *data - sizeof(uint32_t) ? *(const uint32_t *)((const char *)data + offset) : 0;
}

static uint32_t compute(uint16_t operation, uint32_t left, uint32_t right)
{
	switch (operation) {
	case BPF_ADD: return left + right;
	case BPF_SUB: return left - right;
	case BPF_MUL: return left * right;
	case BPF_DIV: return right != 0 ? left / right : 0;
	case BPF_MOD: return right != 0 ? left % right : 0;
	case BPF_OR: return left | right;
	case BPF_AND: return left & right;
	case BPF_XOR: return left ^ right;
	case BPF_LSH: return right < 32 ? left << right : 0;
	case BPF_RSH: return right < 32 ? left >> right : 0;
	default: return -left; // BPF_NEG
	}
}

static bool compare(uint16_t operation, uint32_t left, uint32_t right)
{
	switch (operation) {
	case BPF_JEQ: return left == right;
	case BPF_JGT: return left > right;
	case BPF_JGE: return left >= right;
	default: return (left & right) != 0; // BPF_JSET
	}
}

// The verdict of a filter in classic BPF. The kernel accepts only programs without loops that end with a return; the
// verdict on any other program is to allow, as the kernel will refuse the program.
static uint32_t verdict(const struct sock_filter *filter, uint32_t count, const struct seccomp_data *data)
{
	uint32_t accumulator = 0, index = 0, memory[BPF_MEMWORDS] = {0};
	for (uint64_t next = 0; next < count; next++) {
		const struct sock_filter *step = &filter[next];
		uint32_t operand = BPF_SRC(step->code) == BPF_X ? index : step->k;
		switch (BPF_CLASS(step->code)) {
		case BPF_LD:
			if (BPF_MODE(step->code) == BPF_ABS) accumulator = load(data, step->k);
			else if (BPF_MODE(step->code) == BPF_MEM) accumulator = memory[step->k % BPF_MEMWORDS];
			else accumulator = BPF_MODE(step->code) == BPF_LEN ? (uint32_t)sizeof *data : step->k;
			break;
		case BPF_LDX:
			if (BPF_MODE(step->code) == BPF_MEM) index = memory[step->k % BPF_MEMWORDS];
			else index = BPF_MODE(step->code) == BPF_LEN ? (uint32_t)sizeof *data : step->k;
			break;
		case BPF_ST: memory[step->k % BPF_MEMWORDS] = accumulator; break;
		case BPF_STX: memory[step->k % BPF_MEMWORDS] = index; break;
		case BPF_ALU: accumulator = compute(BPF_OP(step->code), accumulator, operand); break;
		case BPF_JMP:
			if (BPF_OP(step->code) == BPF_JA) next += step->k;
			else next += compare(BPF_OP(step->code), accumulator, operand) ? step->jt : step->jf;
			break;
		case BPF_RET: return BPF_RVAL(step->code) == BPF_A ? accumulator : step->k;
		default: // BPF_MISC
			if (BPF_MISCOP(step->code) == BPF_TAX) index = accumulator;
			else accumulator = index;
		}
	}
	return SECCOMP_RET_ALLOW;
}

// Whether a verdict ends the thread, stops it, or sends it a signal.
static bool is_fatal(uint32_t verdict)
{
	uint32_t action = verdict & SECCOMP_RET_ACTION_FULL;
	return action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG && action != SECCOMP_RET_ERRNO;
}

// Whether the memory can be read: the kernel returns an error for a pointer that is not valid.
static bool can_read(uintptr_t from, size_t bytes)
{
	char byte[256];
	while (bytes > 0) {
		size_t part = bytes < sizeof byte ? bytes : sizeof byte;
		if (qs_copy_memory(from, byte, part) != (ssize_t)part) return false;
		from += part;
		bytes -= part;
	}
	return true;
}

static bool kills_recording(const struct sock_fprog *program)
{
	// A thread that is sandboxed already does not need another look, and makes no system call for one.
	if (qs_thread_is_sandboxed) return true;
	if (!can_read((uintptr_t)program, sizeof *program)) return false;
	size_t bytes = program->len * sizeof program->filter[0];
	if (program->len > BPF_MAXINSNS || !can_read((uintptr_t)program->filter, bytes)) return false;
	for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
		struct seccomp_data data = calls[index];
		data.arch = QS_AUDIT_ARCH;
		if (is_fatal(verdict(program->filter, program->len, &data))) return true;
	}
	return false;
}

// Before the call. Whether the thread is noted as sandboxed.
static bool begin(bool is_strict, const void *program, bool for_all_threads)
{
	if (for_all_threads) qs_control_abandon();
	if (!is_strict && !kills_recording(program)) return false;
	// The recorder's own thread gets the filter too: the session ends with what it has.
	if (for_all_threads && qs_is_recording()) qs_session_stop();
	// Nodes for the threads that this thread will create: their memory needs a system call.
	struct qs_context_node *node = qs_context_node_take(NULL, NULL);
	if (node != NULL) qs_context_node_give(node);
	qs_sandbox_begin();
	return true;
}

static void end(bool is_noted, long result)
{
	if (is_noted && result != 0) qs_sandbox_cancel();
}

long qs_call_seccomp(long operation, long flags, long arguments)
{
	bool is_strict = operation == SECCOMP_SET_MODE_STRICT;
	bool is_noted = (is_strict || operation == SECCOMP_SET_MODE_FILTER)
		&& begin(is_strict, (const void *)arguments, (flags & SECCOMP_FILTER_FLAG_TSYNC) != 0);
	long result = qs_call_system(SYS_seccomp, operation, flags, arguments, 0, 0, 0);
	// With SECCOMP_FILTER_FLAG_NEW_LISTENER a descriptor.
	end(is_noted, result >= 0 ? 0 : result);
	return result;
}

QS_EXPORTED_HOOK(int, prctl, (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d))
{
	if (qs_likely(option != SET_SECCOMP)) return libc_original(prctl)(option, a, b, c, d);
	bool is_strict = a == SECCOMP_MODE_STRICT;
	bool is_noted = (is_strict || a == SECCOMP_MODE_FILTER) && begin(is_strict, (const void *)b, false);
	int result = libc_original(prctl)(option, a, b, c, d);
	end(is_noted, result);
	return result;
}
