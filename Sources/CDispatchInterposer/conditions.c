// A wait for a condition releases a mutex. The release is recorded when other threads wait for the mutex. The
// acquisition at the end of the wait is not recorded.
#include "conditions.h"

#include <errno.h>

#include "mutexes.h"

#ifdef QS_OLD_CONDITIONS

struct qs_old_conditions qs_old_conditions;

// A slot gets the hook of the version that its object was linked with.
int qs_old_cond_wait(void *condition, pthread_mutex_t *mutex)
{
	qs_mutex_release(mutex);
	if (qs_old_conditions.wait == NULL) qs_find_libc_originals();
	return qs_old_conditions.wait(condition, mutex);
}

int qs_old_cond_timedwait(void *condition, pthread_mutex_t *mutex, const struct timespec *deadline)
{
	qs_mutex_release(mutex);
	if (qs_old_conditions.timedwait == NULL) qs_find_libc_originals();
	return qs_old_conditions.timedwait(condition, mutex, deadline);
}

#endif

QS_LIBC_HOOK(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex))
{
	qs_mutex_release(mutex);
	return libc_original(pthread_cond_wait)(condition, mutex);
}

QS_LIBC_HOOK(int, pthread_cond_timedwait,
	(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline))
{
	qs_mutex_release(mutex);
	return libc_original(pthread_cond_timedwait)(condition, mutex, deadline);
}

QS_LIBC_HOOK(int, pthread_cond_clockwait,
	(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline))
{
	int (*wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) =
		libc_original(pthread_cond_clockwait);
	// The function is missing before glibc 2.30. Only a program that looks it up at run time gets here.
	if (qs_unlikely(wait == NULL)) return EINVAL;
	qs_mutex_release(mutex);
	return wait(condition, mutex, clock, deadline);
}
