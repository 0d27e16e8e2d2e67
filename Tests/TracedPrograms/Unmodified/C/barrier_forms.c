// Barriers without block objects: they wait for all earlier items, and later items wait for them.
//: items 401
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

static atomic_int readers;
static int phase;

static void expect_phase(void *context)
{
	CHECK(phase == (int)(intptr_t)context);
	atomic_fetch_add(&readers, 1);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("barrier.forms", DISPATCH_QUEUE_CONCURRENT);

	for (int round = 0; round < 100; round++) {
		for (int reader = 0; reader < 3; reader++)
			dispatch_async_f(queue, (void *)(intptr_t)round, expect_phase);
		if (round % 2)
			dispatch_barrier_async(queue, ^{
				CHECK(atomic_load(&readers) == 3 * (round + 1));
				phase++;
			});
		else
			dispatch_barrier_sync(queue, ^{
				CHECK(atomic_load(&readers) == 3 * (round + 1));
				phase++;
			});
	}
	dispatch_barrier_sync(queue, ^{ });
	printf("%d phases, %d readers\n", phase, readers);
	dispatch_release(queue);
	return 0;
}
