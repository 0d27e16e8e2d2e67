// Makes the preload object run with glibc 2.26, independent of the glibc of the build machine. A function that moved
// from another library into libc.so.6 got a new version there; the object refers to its first version, which every
// later glibc has too.
//
// Before glibc 2.34 a process may not have the library that contained the function: see weak_functions.h. A program
// that uses libdispatch has libpthread. A program that opens libdispatch late may lack it and is not recorded.
//
// The directives apply to the whole object, because link-time optimisation makes one module of it.
#include "old_glibc.h"

#include <linux/fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "originals.h"
#include "raw_system_call.h"

#if !defined(QS_FRONT_END_PRELOAD) || !defined(__GLIBC__)

bool qs_has_thread_functions(void)
{
	return true;
}

#else

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

// Before 2.34 the library of the function is not linked, so there is no version to refer to.
#if __GLIBC_PREREQ(2, 34)
#define OLD(name) __asm__(".symver " #name ", " #name "@" FIRST_VERSION);

OLD(dladdr)
OLD(dlopen)
OLD(dlsym)
OLD(pthread_attr_getstack)
OLD(pthread_attr_setstacksize)
OLD(pthread_create)
OLD(pthread_detach)
OLD(pthread_join)
OLD(pthread_getattr_np)
OLD(pthread_once)
OLD(pthread_setspecific)
OLD(pthread_sigmask)
#endif

// The C23 versions of these functions, which the headers choose for every program.
#if __GLIBC_PREREQ(2, 38)
__asm__(".symver __isoc23_strtol, strtol@" FIRST_VERSION);
__asm__(".symver __isoc23_strtoul, strtoul@" FIRST_VERSION);
__asm__(".symver __isoc23_strtoull, strtoull@" FIRST_VERSION);
#endif

bool qs_has_thread_functions(void)
{
	return qs_originals.pthread_key_create != NULL;
}

#ifdef QS_HAS_RAW_SYSTEM_CALL

// glibc 2.33 added these functions; earlier versions inlined calls of others. On these processors the kernel's
// structure is the same as glibc's.
struct stat;

__attribute__((visibility("hidden"))) int fstat(int file, struct stat *status)
{
	return (int)qs_system_call(SYS_fstat, file, (long)status, 0, 0, 0, 0);
}

__attribute__((visibility("hidden"))) int lstat(const char *path, struct stat *status)
{
	return (int)qs_system_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, AT_SYMLINK_NOFOLLOW, 0, 0);
}

__attribute__((visibility("hidden"))) int fstatat(int folder, const char *path, struct stat *status, int flags)
{
	return (int)qs_system_call(SYS_newfstatat, folder, (long)path, (long)status, flags, 0, 0);
}

#endif

#endif
