// More functions and blocks than the recorder caches. Each is submitted again after many others.
//: items 2562
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdint.h>

enum { FUNCTIONS = 512, ROUNDS = 2 };

static dispatch_queue_t blocks;
static int runs, nested;

// Each function has a block of its own.
#define FUNCTION(a, b, c)                                                    \
	static void work_##a##b##c(void *context)                            \
	{                                                                    \
		CHECK((uintptr_t)context == (uintptr_t)(0##a##b##c));        \
		runs++;                                                      \
		if (blocks != NULL) dispatch_async(blocks, ^{ nested++; });  \
	}
#define FUNCTIONS_8(a, b) \
	FUNCTION(a, b, 0) FUNCTION(a, b, 1) FUNCTION(a, b, 2) FUNCTION(a, b, 3) \
	FUNCTION(a, b, 4) FUNCTION(a, b, 5) FUNCTION(a, b, 6) FUNCTION(a, b, 7)
#define FUNCTIONS_64(a) \
	FUNCTIONS_8(a, 0) FUNCTIONS_8(a, 1) FUNCTIONS_8(a, 2) FUNCTIONS_8(a, 3) \
	FUNCTIONS_8(a, 4) FUNCTIONS_8(a, 5) FUNCTIONS_8(a, 6) FUNCTIONS_8(a, 7)
FUNCTIONS_64(0) FUNCTIONS_64(1) FUNCTIONS_64(2) FUNCTIONS_64(3)
FUNCTIONS_64(4) FUNCTIONS_64(5) FUNCTIONS_64(6) FUNCTIONS_64(7)

#define NAME(a, b, c) work_##a##b##c,
#define NAMES_8(a, b) \
	NAME(a, b, 0) NAME(a, b, 1) NAME(a, b, 2) NAME(a, b, 3) NAME(a, b, 4) NAME(a, b, 5) NAME(a, b, 6) NAME(a, b, 7)
#define NAMES_64(a) \
	NAMES_8(a, 0) NAMES_8(a, 1) NAMES_8(a, 2) NAMES_8(a, 3) NAMES_8(a, 4) NAMES_8(a, 5) NAMES_8(a, 6) NAMES_8(a, 7)
static const dispatch_function_t functions[FUNCTIONS] = {
	NAMES_64(0) NAMES_64(1) NAMES_64(2) NAMES_64(3) NAMES_64(4) NAMES_64(5) NAMES_64(6) NAMES_64(7)};

// Visits all functions in steps of 37.
static uintptr_t function_at(int place)
{
	return (uintptr_t)(place * 37 % FUNCTIONS);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("functions.async", NULL);
	blocks = dispatch_queue_create("functions.blocks", NULL);
	for (int place = 0; place < ROUNDS * FUNCTIONS; place++) {
		uintptr_t index = function_at(place);
		dispatch_async_f(queue, (void *)index, functions[index]);
	}
	dispatch_sync(queue, ^{ });
	dispatch_sync(blocks, ^{ });
	CHECK(runs == ROUNDS * FUNCTIONS && nested == ROUNDS * FUNCTIONS);
	dispatch_release(blocks);
	blocks = NULL;
	dispatch_release(queue);
	queue = dispatch_queue_create("functions.sync", NULL);
	for (int place = 0; place < FUNCTIONS; place++) {
		uintptr_t index = function_at(place);
		dispatch_sync_f(queue, (void *)index, functions[index]);
	}
	printf("%d runs\n", runs);
	dispatch_release(queue);
	return 0;
}
