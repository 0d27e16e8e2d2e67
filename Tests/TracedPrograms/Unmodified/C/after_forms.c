// dispatch_after: now, in the past, soon, by the wall clock, never; with plain blocks, functions and block objects.
//: items 15
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>
#include <stdatomic.h>

static dispatch_semaphore_t ran;
static atomic_int functions;

static void function(void *context)
{
	CHECK(context == NULL);
	functions++;
	dispatch_semaphore_signal(ran);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("after", NULL);
	ran = dispatch_semaphore_create(0);

	dispatch_after(DISPATCH_TIME_FOREVER, queue, ^{ CHECK(0); });
	dispatch_after_f(DISPATCH_TIME_FOREVER, queue, NULL, function);
	dispatch_time_t times[] = {
		DISPATCH_TIME_NOW,
		dispatch_time(DISPATCH_TIME_NOW, -1000),
		dispatch_time(DISPATCH_TIME_NOW, 2 * NSEC_PER_MSEC),
		dispatch_walltime(NULL, 2 * NSEC_PER_MSEC),
		dispatch_walltime(NULL, -5),
	};
	int count = 0;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		uint64_t due = times[i];
		dispatch_after(times[i], queue, ^{
			dispatch_assert_queue(queue);
			// No item runs too early.
			if (due < (1ULL << 63))
				CHECK(due <= dispatch_time(DISPATCH_TIME_NOW, 0));
			dispatch_semaphore_signal(ran);
		});
		dispatch_after_f(times[i], queue, NULL, function);
		dispatch_block_t object = dispatch_block_create(0, ^{ dispatch_semaphore_signal(ran); });
		dispatch_after(times[i], queue, object);
		Block_release(object);
		count += 3;
	}
	for (int i = 0; i < count; i++)
		dispatch_semaphore_wait(ran, DISPATCH_TIME_FOREVER);

	dispatch_block_t cancelled = dispatch_block_create(0, ^{ CHECK(0); });
	dispatch_after(dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC), queue, cancelled);
	dispatch_block_cancel(cancelled);
	CHECK(dispatch_block_wait(cancelled, DISPATCH_TIME_FOREVER) == 0);
	Block_release(cancelled);
	printf("%d runs, %d of functions\n", count, functions);
	return 0;
}
