// Rejects system call arguments like a kernel with a given page size would. qemu accepts every multiple of the host's
// 4 KiB. Linked with --wrap for each of these functions.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void *__real_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t length);
int __real_madvise(void *address, size_t length, int advice);
int __real_mprotect(void *address, size_t length, int protection);

static int is_refused(const char *call, uintptr_t value)
{
	if (value % (uintptr_t)sysconf(_SC_PAGESIZE) == 0) return 0;
	fprintf(stderr, "%s: %#lx is no multiple of the page size\n", call, (unsigned long)value);
	errno = EINVAL;
	return 1;
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
	if (is_refused("mmap, offset", (uintptr_t)offset)) return MAP_FAILED;
	if ((flags & MAP_FIXED) != 0 && is_refused("mmap", (uintptr_t)address)) return MAP_FAILED;
	return __real_mmap(address, length, protection, flags, file, offset);
}

int __wrap_munmap(void *address, size_t length)
{
	return is_refused("munmap", (uintptr_t)address) ? -1 : __real_munmap(address, length);
}

int __wrap_madvise(void *address, size_t length, int advice)
{
	return is_refused("madvise", (uintptr_t)address) ? -1 : __real_madvise(address, length, advice);
}

int __wrap_mprotect(void *address, size_t length, int protection)
{
	return is_refused("mprotect", (uintptr_t)address) ? -1 : __real_mprotect(address, length, protection);
}
