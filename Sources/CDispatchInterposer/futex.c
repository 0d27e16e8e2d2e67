// Waits and wake-ups of libdispatch, which calls the futex through libc's syscall(). A wait shows that a sync really
// sleeps. A wake-up identifies the thread that handed the queue over.
#include <linux/futex.h>
#include <sys/syscall.h>

#include "pi_futexes.h"
#include "raw_system_call.h"
#include "recording_items.h"
#include "sandboxes.h"

// The thread that woke an address last. Another address may overwrite the slot; the hand-off then names the thread that
// held the queue, which is nearly always the same thread.
struct wake {
	uintptr_t address;
	uint32_t tid;
};

enum { WAKES = 256 };

static struct wake wakes[WAKES];

static struct wake *wake_slot(uintptr_t address)
{
	return &wakes[(address >> 3 ^ address >> 12) % WAKES];
}

static void note_wake(uintptr_t address)
{
	struct wake *slot = wake_slot(address);
	__atomic_store_n(&slot->address, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->tid, qs_current_tid(), __ATOMIC_RELEASE);
	__atomic_store_n(&slot->address, address, __ATOMIC_RELEASE);
}

// Takes the thread that woke this thread, once: the next sync sleeps at the same address, and its waker may note late.
static uint32_t take_waker(uintptr_t address)
{
	struct wake *slot = wake_slot(address);
	if (__atomic_load_n(&slot->address, __ATOMIC_ACQUIRE) != address) return 0;
	uint32_t tid = __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE);
	bool is_taken = __atomic_compare_exchange_n(
		&slot->address, &address, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	return is_taken ? tid : 0;
}

// A futex operation of libdispatch while a session records.
static __attribute__((noinline)) long call_futex(long number, long a, long b, long c, long d, long e, long f)
{
	int operation = (int)b & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	if (operation == FUTEX_WAKE) note_wake((uintptr_t)a);
	struct qs_sync_call *call = operation == FUTEX_WAIT ? qs_hook_thread.entering : NULL;
	if (call == NULL) return qs_call_system(number, a, b, c, d, e, f);
	qs_sync_call_sleep(call);
	long result = qs_call_system(number, a, b, c, d, e, f);
	// The item may have run on another thread during the wait; the call must not change then.
	uint32_t waker = take_waker((uintptr_t)a);
	if (waker != 0 && qs_hook_thread.entering == call) call->holder = waker;
	return result;
}

// Reads six arguments from the places of the calling convention, whether the caller passed them or not. The kernel uses
// only the arguments of the call.
QS_EXPORTED_HOOK(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
	if (qs_unlikely(number == SYS_seccomp)) return qs_call_seccomp(a, b, c);
	if (qs_likely(number != SYS_futex) || !qs_is_recording()) return qs_call_system(number, a, b, c, d, e, f);
	if (qs_is_pi_futex_operation((int)b)) {
		return qs_call_pi_futex(a, b, c, d, (uintptr_t)__builtin_return_address(0));
	}
	if (!qs_is_in_libdispatch(__builtin_return_address(0))) return qs_call_system(number, a, b, c, d, e, f);
	return call_futex(number, a, b, c, d, e, f);
}
