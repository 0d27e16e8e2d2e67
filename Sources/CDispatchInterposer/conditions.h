// The condition variables of programs that were linked with glibc before 2.3.2, on processors that had it then. Their
// layout is another one: what waits for them must be of the same version as what signals them.
#ifndef QS_CONDITIONS_H
#define QS_CONDITIONS_H

#include "hooks.h"

// Versions take a linker's version script, which only the preload object has.
#if defined(QS_FRONT_END_PRELOAD) && defined(__GLIBC__) && defined(__x86_64__)
#define QS_OLD_CONDITIONS "GLIBC_2.2.5"
#define QS_CONDITIONS "GLIBC_2.3.2"

struct qs_old_conditions {
	int (*wait)(void *condition, pthread_mutex_t *mutex);
	int (*timedwait)(void *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
};

extern struct qs_old_conditions qs_old_conditions;

#endif

#endif
