// libc's syscall() without libc: libc's function cannot be looked up when a memory allocator calls it during startup.
#ifndef QS_RAW_SYSTEM_CALL_H
#define QS_RAW_SYSTEM_CALL_H

#if defined(__x86_64__) || defined(__aarch64__)
#define QS_HAS_RAW_SYSTEM_CALL

#include <errno.h>

// A separate function that the hook can tail-call, so that the hook needs no stack frame: a child of vfork returns from
// it first.
__attribute__((noinline, unused)) static long qs_system_call_fail(long result)
{
	errno = (int)-result;
	result = -1;
	__asm__("" : "+r"(result)); // otherwise the caller computes the constant result and uses a call
	return result;
}

static inline __attribute__((always_inline)) long qs_system_call(
	long number, long a, long b, long c, long d, long e, long f)
{
	const unsigned long first_error = -4095ul;
#if defined(__x86_64__)
	long result;
	register long fourth __asm__("r10") = d;
	register long fifth __asm__("r8") = e;
	register long sixth __asm__("r9") = f;
	__asm__ volatile("syscall"
		: "=a"(result)
		: "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
		: "rcx", "r11", "memory");
#else
	register long call __asm__("x8") = number;
	register long result __asm__("x0") = a;
	register long second __asm__("x1") = b;
	register long third __asm__("x2") = c;
	register long fourth __asm__("x3") = d;
	register long fifth __asm__("x4") = e;
	register long sixth __asm__("x5") = f;
	__asm__ volatile("svc 0"
		: "+r"(result)
		: "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
		: "memory");
#endif
	return (unsigned long)result >= first_error ? qs_system_call_fail(result) : result;
}

#endif

// Makes a system call of the program without a hook.
#ifdef QS_HAS_RAW_SYSTEM_CALL
#define qs_call_system qs_system_call
#else
#define qs_call_system libc_original(syscall)
#endif

#endif
