// Interface of the mutex hooks for the hooks of condition variables: a wait for a condition releases the mutex.
#ifndef QS_MUTEXES_H
#define QS_MUTEXES_H

#include "hooks.h"

// Records that the mutex is released, if threads wait for it.
void qs_mutex_note_release(const pthread_mutex_t *mutex);

#ifdef __GLIBC__
// Whether other threads appear to wait for the mutex. Called by the thread that holds it.
static inline bool qs_mutex_is_waited_for(const pthread_mutex_t *mutex)
{
	const uint32_t held = 1; // held, without waiters
	return (uint32_t)__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) > held;
}
#endif

// Call before the original releases the mutex, so that the next holder's lock_acquire comes later.
static inline void qs_mutex_release(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
	if (qs_unlikely(qs_mutex_is_waited_for(mutex))) qs_mutex_note_release(mutex);
#else
	(void)mutex; // other C libraries do not publish the layout of their mutexes
#endif
}

#endif
