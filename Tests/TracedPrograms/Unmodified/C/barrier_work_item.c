// A block object with the barrier flag excludes all other items on a concurrent queue, however it is submitted. A tool
// that wraps the submitted block again loses the flag; ThreadSanitizer does that.
//: items 1801
#include "check.h"
#include <Block/Block.h>
#include "unlisted.h"
#include <stdatomic.h>

static atomic_int inside;
static atomic_int broken;
static atomic_int barriers;

static void enter_alone(void)
{
	if (atomic_fetch_add(&inside, 1) != 0)
		atomic_fetch_add(&broken, 1);
	// Long enough for another item to enter if the barrier failed.
	for (volatile int i = 0; i < 2000; i++)
		;
	if (atomic_fetch_sub(&inside, 1) != 1)
		atomic_fetch_add(&broken, 1);
	atomic_fetch_add(&barriers, 1);
}

static void enter(void *context)
{
	(void)context;
	atomic_fetch_add(&inside, 1);
	for (volatile int i = 0; i < 500; i++)
		;
	atomic_fetch_sub(&inside, 1);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("barrier", DISPATCH_QUEUE_CONCURRENT);
	dispatch_group_t group = dispatch_group_create();

	for (int round = 0; round < 200; round++) {
		dispatch_block_t barrier = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{ enter_alone(); });
		for (int reader = 0; reader < 4; reader++)
			dispatch_group_async_f(group, queue, NULL, enter);
		switch (round % 4) {
		case 0:
			dispatch_async(queue, barrier);
			break;
		case 1:
			dispatch_group_async(group, queue, barrier);
			break;
		case 2:
			dispatch_sync(queue, barrier);
			break;
		case 3:
			dispatch_async_and_wait(queue, barrier);
			break;
		}
		for (int reader = 0; reader < 4; reader++)
			dispatch_group_async_f(group, queue, NULL, enter);
		Block_release(barrier);
	}
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	dispatch_barrier_sync(queue, ^{ });
	printf("%d barriers, %d broken\n", barriers, broken);
	dispatch_release(group);
	dispatch_release(queue);
	return broken == 0 ? 0 : 1;
}
