// A memory allocator that can place each object of 16 bytes at the end of a page, in front of an inaccessible page.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { OBJECT = 16, PAGE = 4096, SLOTS = 4096 };

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *memory);
extern void *__libc_realloc(void *memory, size_t size);

static _Atomic(char *) region;
static atomic_int used, is_on;

// From this call on, each new object of 16 bytes gets its own page.
void guard_small_objects(void)
{
	char *made = mmap(NULL, (size_t)SLOTS * 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (made == MAP_FAILED) return;
	atomic_store(&region, made);
	atomic_store(&is_on, 1);
}

static int is_guarded(const void *memory)
{
	const char *begin = atomic_load(&region);
	return begin != NULL && (uintptr_t)memory - (uintptr_t)begin < (size_t)SLOTS * 2 * PAGE;
}

void *malloc(size_t size)
{
	if (size != OBJECT || !atomic_load(&is_on)) return __libc_malloc(size);
	int slot = atomic_fetch_add(&used, 1);
	if (slot >= SLOTS) return __libc_malloc(size);
	char *page = atomic_load(&region) + (size_t)slot * 2 * PAGE;
	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0) return NULL;
	return page + PAGE - OBJECT;
}

void free(void *memory)
{
	if (!is_guarded(memory)) __libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
	if (!is_guarded(memory)) return __libc_realloc(memory, size);
	uint64_t *copy = __libc_malloc(size < OBJECT ? OBJECT : size);
	for (int word = 0; copy != NULL && word < 2; word++) copy[word] = ((uint64_t *)memory)[word];
	return copy;
}
