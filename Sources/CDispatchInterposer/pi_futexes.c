// A lock is taken and released without a system call while no thread waits. The events are the same as for mutexes:
//
//	held by another thread    lock_wait ──── lock_acquire
//	other threads wait for it                     lock_release, before the system call
#include "pi_futexes.h"

#include <errno.h>
#include <sys/syscall.h>

#include "callers.h"
#include "raw_system_call.h"

// The lock whose last FUTEX_LOCK_PI by this thread failed in a way after which the caller tries again, 0 when none: the
// wait is already recorded.
static __thread uintptr_t retried_lock __attribute__((tls_model("initial-exec")));

static uint32_t owner_of(uintptr_t lock)
{
	return __atomic_load_n((const uint32_t *)lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK;
}

// Recorded before the system call, so that the next owner's lock_acquire comes later.
static void record_release(uintptr_t lock)
{
	if (owner_of(lock) == qs_current_tid()) qs_record_lock_release(lock);
}

static long call(uintptr_t lock, long operation, long value, long timeout)
{
	return qs_call_system(SYS_futex, (long)lock, operation, value, timeout, 0, 0);
}

__attribute__((noinline)) long qs_call_pi_futex(
	long address, long operation, long value, long timeout, uintptr_t caller)
{
	uintptr_t lock = (uintptr_t)address;
	// The kernel reports a null or misaligned address as an error.
	bool is_valid = lock != 0 && lock % sizeof(uint32_t) == 0;
	// The recorder's own locks are not recorded.
	if (!is_valid || qs_thread_inside) return call(lock, operation, value, timeout);
	if (((int)operation & FUTEX_CMD_MASK) == FUTEX_UNLOCK_PI) {
		record_release(lock);
		return call(lock, operation, value, timeout);
	}
	bool is_retry = retried_lock == lock;
	retried_lock = 0;
	uint32_t owner = owner_of(lock);
	// A lock that this thread holds is a deadlock, which the kernel reports.
	bool waits = owner != 0 && owner != qs_current_tid();
	if (!waits && !is_retry) return call(lock, operation, value, timeout);
	uint32_t code = qs_lock_code(caller, __builtin_frame_address(0));
	if (!is_retry) qs_record_lock_wait(lock, code, owner);
	long result = call(lock, operation, value, timeout);
	if (result == 0) qs_record_lock_acquire(lock, code);
	else if (errno == EINTR || errno == EAGAIN) retried_lock = lock;
	return result;
}
