// Sleeping and waking: libdispatch reaches the futex through libc's syscall(). Its waits tell when a sync really goes
// to sleep, its wakes who handed the queue over.
#include <linux/futex.h>
#include <sys/syscall.h>

#include "raw_system_call.h"
#include "recording_items.h"

// Who woke an address last. A slot may be overwritten by another address: then the hand-off names the thread that held
// the queue, which is the same one nearly always.
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

// Who woke this thread, once: its next sync sleeps at the same address, and its waker may be late to take note.
static uint32_t take_waker(uintptr_t address)
{
	struct wake *slot = wake_slot(address);
	if (__atomic_load_n(&slot->address, __ATOMIC_ACQUIRE) != address) return 0;
	uint32_t tid = __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE);
	bool is_taken = __atomic_compare_exchange_n(
		&slot->address, &address, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	return is_taken ? tid : 0;
}

#ifdef QS_HAS_RAW_SYSTEM_CALL
#define call_system qs_system_call
#else
#define call_system libc_original(syscall)
#endif

// A futex operation of libdispatch's while a session records.
static __attribute__((noinline)) long call_futex(long number, long a, long b, long c, long d, long e, long f)
{
	int operation = (int)b & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	if (operation == FUTEX_WAKE) note_wake((uintptr_t)a);
	struct qs_sync_call *call = operation == FUTEX_WAIT ? qs_hook_thread.entering : NULL;
	if (call == NULL) return call_system(number, a, b, c, d, e, f);
	qs_sync_call_sleep(call);
	long result = call_system(number, a, b, c, d, e, f);
	// The item may have run on another thread meanwhile; then the call is not looked at any more.
	uint32_t waker = take_waker((uintptr_t)a);
	if (waker != 0 && qs_hook_thread.entering == call) call->holder = waker;
	return result;
}

// The six arguments are read wherever the caller's convention puts them, given or not; the kernel takes as many as the
// call has.
QS_LIBC_HOOK(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
	if (qs_likely(number != SYS_futex) || !qs_is_recording() || !qs_is_in_libdispatch(__builtin_return_address(0))) {
		return call_system(number, a, b, c, d, e, f);
	}
	return call_futex(number, a, b, c, d, e, f);
}
