// Contention on pthread mutexes of glibc. For a free mutex the hook reads one word and records nothing:
//
//	held by another thread    lock_wait ──── lock_acquire
//	other threads wait for it                     lock_release, before the original
//
// A thread that had to wait leaves the mutex marked as waited for, so its own unlock is recorded too. A mutex that is
// initialised at the address of a contended mutex is another one: lock_create, without a label and code.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>

#include "callers.h"
#include "lock_sets.h"
#include "mutexes.h"

#ifdef __GLIBC__

// Constants of glibc's mutex, from its struct_mutex.h and pthreadP.h.
enum {
	TYPE_MASK = 3,
	TYPE_RECURSIVE = 1,
	TYPE_ERRORCHECK = 2,
	ROBUST = 16,
	PRIORITY_INHERIT = 32,
	PRIORITY_PROTECT = 64,

	FREE = 0,
	HELD_AND_WAITED_FOR = 2,
};

// The state of a mutex at one moment. It is read without holding the mutex, so it may be outdated.
struct mutex_state {
	bool is_held;
	bool is_waited_for;
	uint8_t type;
	uint32_t owner;  // 0 when not known
};

static struct mutex_state look_at(const pthread_mutex_t *mutex)
{
	const uint32_t priority_ceiling = 0xFFF80000;
	uint32_t word = (uint32_t)__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED);
	int kind = __atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED);
	struct mutex_state state = {.type = kind & TYPE_MASK};
	if ((kind & (ROBUST | PRIORITY_INHERIT)) != 0) {
		state.owner = word & FUTEX_TID_MASK;
		state.is_held = state.owner != 0;
		state.is_waited_for = (word & FUTEX_WAITERS) != 0;
		return state;
	}
	if ((kind & PRIORITY_PROTECT) != 0) word &= ~priority_ceiling;
	state.owner = (uint32_t)__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
	state.is_held = word != FREE;
	state.is_waited_for = word == HELD_AND_WAITED_FOR;
	return state;
}

// Whether glibc checks the owner: a second lock by the owner succeeds or returns an error, and only the owner can
// unlock.
static bool checks_owner(struct mutex_state state)
{
	return state.type == TYPE_RECURSIVE || state.type == TYPE_ERRORCHECK;
}

// False inside the recorder, which takes its own locks.
static bool records(void)
{
	return qs_is_recording() && !qs_thread_inside;
}

// MARK: Mutexes at reused addresses

// Mutexes for which a thread waited.
static struct qs_lock_set contended;

QS_LIBC_HOOK(int, pthread_mutex_init, (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes))
{
	uint64_t lock = (uint64_t)(uintptr_t)mutex;
	// A flight recorder keeps every lock_create, and its trace must not grow.
	bool is_reused = records() && !qs_session_is_flight_recorder() && qs_lock_set_remove(&contended, lock);
	if (is_reused) qs_record_lock_create(lock, "", 0, 0, 0, qs_current_tid(), qs_lock_kind_exclusive);
	return libc_original(pthread_mutex_init)(mutex, attributes);
}

// MARK: Waits

static __attribute__((noinline)) int lock_held(pthread_mutex_t *mutex, uintptr_t caller)
{
	struct mutex_state state = look_at(mutex);
	if (!records() || !state.is_held || (checks_owner(state) && state.owner == qs_current_tid())) {
		return libc_original(pthread_mutex_lock)(mutex);
	}
	uint64_t lock = (uint64_t)(uintptr_t)mutex;
	uint32_t code = qs_lock_code(caller, __builtin_frame_address(0));
	qs_lock_set_add(&contended, lock);
	qs_record_lock_wait(lock, code, state.owner);
	int result = libc_original(pthread_mutex_lock)(mutex);
	if (result == 0 || result == EOWNERDEAD) qs_record_lock_acquire(lock, code);
	return result;
}

// Recorded before the unlock, so that the next holder's lock_acquire comes later.
__attribute__((noinline)) void qs_mutex_note_release(const pthread_mutex_t *mutex)
{
	struct mutex_state state = look_at(mutex);
	bool is_last = state.type != TYPE_RECURSIVE || mutex->__data.__count <= 1;
	bool is_owner = !checks_owner(state) || state.owner == qs_current_tid();
	if (records() && state.is_waited_for && is_last && is_owner) qs_record_lock_release((uint64_t)(uintptr_t)mutex);
}

QS_LIBC_HOOK(int, pthread_mutex_lock, (pthread_mutex_t *mutex))
{
	if (qs_likely(__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) == FREE)) {
		if (qs_likely(qs_originals.pthread_mutex_lock != NULL)) return qs_originals.pthread_mutex_lock(mutex);
	}
	return lock_held(mutex, (uintptr_t)__builtin_return_address(0));
}

static __attribute__((noinline)) int unlock_waited_for(pthread_mutex_t *mutex)
{
	qs_mutex_release(mutex);
	return libc_original(pthread_mutex_unlock)(mutex);
}

QS_LIBC_HOOK(int, pthread_mutex_unlock, (pthread_mutex_t *mutex))
{
	if (qs_likely(!qs_mutex_is_waited_for(mutex))) {
		if (qs_likely(qs_originals.pthread_mutex_unlock != NULL)) return qs_originals.pthread_mutex_unlock(mutex);
	}
	return unlock_waited_for(mutex);
}

#else

// Other C libraries do not publish the layout of their mutexes.
QS_LIBC_HOOK(int, pthread_mutex_init, (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes))
{
	return libc_original(pthread_mutex_init)(mutex, attributes);
}

QS_LIBC_HOOK(int, pthread_mutex_lock, (pthread_mutex_t *mutex))
{
	return libc_original(pthread_mutex_lock)(mutex);
}

QS_LIBC_HOOK(int, pthread_mutex_unlock, (pthread_mutex_t *mutex))
{
	return libc_original(pthread_mutex_unlock)(mutex);
}

#endif
