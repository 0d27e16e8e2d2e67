// The condition variables of programs that were linked with glibc before 2.3.2, on the processors that glibc supported
// then. Their memory layout differs: wait and signal must use the same version of the functions.
#ifndef QS_CONDITIONS_H
#define QS_CONDITIONS_H

#include "hooks.h"

// Only the preload object has hooks for them: the slots of a program show the version that it needs.
#if defined(QS_FRONT_END_PRELOAD) && defined(__GLIBC__) && defined(__x86_64__)
#define QS_OLD_CONDITIONS "GLIBC_2.2.5"

struct qs_old_conditions {
	int (*wait)(void *condition, pthread_mutex_t *mutex);
	int (*timedwait)(void *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
};

extern struct qs_old_conditions qs_old_conditions;

int qs_old_cond_wait(void *condition, pthread_mutex_t *mutex);
int qs_old_cond_timedwait(void *condition, pthread_mutex_t *mutex, const struct timespec *deadline);

#endif

#endif
