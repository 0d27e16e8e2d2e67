// What the hooks of condition variables need of the one of mutexes: waiting for a condition gives the mutex back.
#ifndef QS_MUTEXES_H
#define QS_MUTEXES_H

#include "hooks.h"

// Records that the mutex is given back, if threads wait for it.
void qs_mutex_note_release(const pthread_mutex_t *mutex);

#ifdef __GLIBC__
// Whether it looks as if others waited for it, to the thread that holds it.
static inline bool qs_mutex_is_waited_for(const pthread_mutex_t *mutex)
{
	const uint32_t held = 1; // and nobody waits
	return (uint32_t)__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) > held;
}
#endif

// Call before the original gives the mutex back, so that the next holder's lock_acquire comes after.
static inline void qs_mutex_release(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
	if (qs_unlikely(qs_mutex_is_waited_for(mutex))) qs_mutex_note_release(mutex);
#else
	(void)mutex; // another C library keeps its mutexes to itself
#endif
}

#endif
