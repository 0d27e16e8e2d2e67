#define _GNU_SOURCE
#include "recorder_thread.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { OWN_STACK = 128 * 1024 };

// A sanitizer in the program must see every thread that uses libc. If there is one, it creates the thread.
extern int __interceptor_pthread_create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) __attribute__((weak));

static int add_thread_storage(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	size_t *sum = context;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type == PT_TLS) *sum += segment->p_memsz + segment->p_align;
	}
	return 0;
}

// Size of the thread-local variables of the program and its libraries, which are part of every thread's stack.
static size_t static_thread_storage(void)
{
	size_t sum = 0;
	dl_iterate_phdr(add_thread_storage, &sum);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (sum + page - 1) / page * page;
}

bool qs_recorder_thread_start(pthread_t *thread, enum qs_thread_stack stack, void *(*body)(void *), void *argument)
{
	// The program's signals must be delivered to the program's threads.
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (stack == QS_SMALL_STACK) pthread_attr_setstacksize(&attributes, OWN_STACK + static_thread_storage());
	int error = (__interceptor_pthread_create != NULL ? __interceptor_pthread_create : pthread_create)(
		thread, &attributes, body, argument);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error == 0;
}
