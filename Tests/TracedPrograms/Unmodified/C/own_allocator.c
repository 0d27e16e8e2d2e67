// A program with its own counting allocator: a synchronous call must not allocate, and must not use its lock.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char arena[64 << 20];
static size_t used;
static atomic_int counting, allocations;

void *malloc(size_t size)
{
	pthread_mutex_lock(&mutex);
	size_t place = used;
	used += (size + 31) & ~(size_t)15;
	pthread_mutex_unlock(&mutex);
	if (used > sizeof arena)
		return NULL;
	if (counting)
		atomic_fetch_add(&allocations, 1);
	*(size_t *)(arena + place) = size;
	return arena + place + 16;
}

void free(void *memory) { (void)memory; }

void *calloc(size_t count, size_t size) { return malloc(count * size); }

void *realloc(void *memory, size_t size)
{
	char *larger = malloc(size);
	if (memory && larger) {
		size_t old = *(size_t *)((char *)memory - 16);
		memcpy(larger, memory, old < size ? old : size);
	}
	return larger;
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("allocator", NULL);
	dispatch_sync(queue, ^{ });
	counting = 1;
	for (int i = 0; i < 1000; i++) {
		dispatch_sync(queue, ^{ });
		dispatch_barrier_sync(queue, ^{ });
	}
	counting = 0;
	dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ });
	printf("%d allocations\n", allocations);
	return 0;
}
