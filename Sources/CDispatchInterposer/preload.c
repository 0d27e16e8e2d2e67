// The preloaded front end. It starts recording in a process with libdispatch and removes itself from LD_PRELOAD, so
// that the program and its child processes see the original environment.
#ifdef QS_FRONT_END_PRELOAD

#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "CDispatchInterposer.h"
#include "exec_environment.h"
#include "hooks.h"
#include "loaded_symbols.h"
#include "slots.h"

// The program opened libdispatch late and may unload it, while the hooks hold addresses of it.
static bool may_be_unloaded; // atomic

static void keep_libdispatch(void)
{
	if (!__atomic_load_n(&may_be_unloaded, __ATOMIC_ACQUIRE)) return;
	int saved_errno = errno;
	static const char *const libraries[] = {"libdispatch.so", "libBlocksRuntime.so"};
	// NULL in a process without libdl: see weak_functions.h.
	for (size_t index = 0; dlopen != NULL && index < sizeof libraries / sizeof libraries[0]; index++) {
		dlopen(libraries[index], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	}
	__atomic_store_n(&may_be_unloaded, false, __ATOMIC_RELEASE);
	errno = saved_errno;
}

// The other thread that will pin libdispatch may still wait for the loader lock, as this thread is about to.
QS_LIBC_HOOK(int, dlclose, (void *library))
{
	keep_libdispatch();
	int (*close)(void *) = libc_original(dlclose);
	// Before glibc 2.34 a process may not have libdl.
	return close != NULL ? close(library) : -1;
}

// Whether the search for a library depends on the object that calls dlopen: on its namespace and its RUNPATH.
static bool depends_on_caller(const char *path)
{
	return path == NULL || strchr(path, '/') == NULL || strchr(path, '$') != NULL;
}

// The slots of a new library are installed before the program uses it. Calls of its constructors are not recorded. If
// the search depends on the caller, the original must be the last call, and the recorder thread installs the slots.
QS_LIBC_HOOK(void *, dlopen, (const char *path, int mode))
{
	void *(*open)(const char *, int) = libc_original(dlopen);
	if (!qs_is_recording() || depends_on_caller(path)) {
		qs_slots_expect_library();
		__attribute__((musttail)) return open(path, mode);
	}
	qs_slots_open_begin();
	void *library = open(path, mode);
	qs_slots_open_end();
	return library;
}

// The constructor of libdispatch calls this function. In a program that opens libdispatch late, that is the first sign
// of it. All libraries of this dlopen are relocated then, and the thread holds the loader's lock.
__attribute__((visibility("default"))) int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
	static bool is_preparing; // the preparation calls this function
	if (qs_unlikely(__atomic_load_n(&qs_start_is_deferred, __ATOMIC_ACQUIRE)) && qs_find_libc_originals()
		&& !__atomic_exchange_n(&is_preparing, true, __ATOMIC_RELAXED)) {
		qs_interposer_prepare();
		if (qs_is_recording()) qs_slots_install();
	}
	int (*create)(pthread_key_t *, void (*)(void *)) = libc_original(pthread_key_create);
	// Before glibc 2.34 a process may not have libpthread.
	return create != NULL ? create(key, destroy) : EAGAIN;
}

int qs_attach(void)
{
	return qs_control_open();
}

// Removes this object from LD_PRELOAD in place; the list only gets shorter.
static void leave_preload_list(void)
{
	char *list = getenv("LD_PRELOAD");
	const char *own = qs_own_path();
	if (list == NULL || own[0] == 0) return;
	static const char separators[] = ": ";
	char *to = list;
	for (const char *from = list; *from != 0;) {
		size_t length = strcspn(from, separators);
		bool is_own = length == strlen(own) && strncmp(from, own, length) == 0;
		char separator = from[length];
		if (!is_own && length != 0) {
			if (to != list) *to++ = ':';
			memmove(to, from, length);
			to += length;
		}
		from += length + (separator != 0);
	}
	*to = 0;
	if (to == list) unsetenv("LD_PRELOAD");
}

void qs_start_preloaded_session(void)
{
	bool follows = qs_environment_follows_children();
	qs_exec_environment_note();
	qs_session_start_from_environment();
	if (!follows) leave_preload_list();
}

static void load(void)
{
	keep_libdispatch();
	qs_unwinder_load();
}

void qs_start_preloaded_session_late(void)
{
	__atomic_store_n(&may_be_unloaded, true, __ATOMIC_RELEASE);
	qs_start_late(qs_start_preloaded_session, load);
}

#endif
