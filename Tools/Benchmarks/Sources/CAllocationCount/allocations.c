#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>

// glibc's own allocation functions, exported under these names for replacements of malloc.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static uint64_t count;

uint64_t benchmark_allocations(void)
{
	return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

static void note(void)
{
	__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
	note();
	return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	note();
	return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
	note();
	return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	note();
	return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	note();
	*memory = __libc_memalign(alignment, size);
	return *memory != NULL ? 0 : ENOMEM;
}
