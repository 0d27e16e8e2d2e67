// One block as several notifications on several queues. It needs no copy, so all notifications have the same address.
//: items 12
#include "check.h"
#include <dispatch/dispatch.h>

// From the blocks runtime. The toolchain does not contain its header.
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

static int runs;

int main(void)
{
	dispatch_semaphore_t done = dispatch_semaphore_create(0);
	dispatch_group_t group = dispatch_group_create();
	dispatch_queue_t queues[2] = { dispatch_queue_create("first", NULL), dispatch_queue_create("second", NULL) };
	void (^global)(void) = ^{ __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED); };
	void (^on_heap)(void) = _Block_copy(^{
		__atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
		dispatch_semaphore_signal(done);
	});

	dispatch_group_enter(group);
	for (int i = 0; i < 6; i++) {
		dispatch_group_notify(group, queues[i % 2], global);
		dispatch_group_notify(group, queues[i % 2], on_heap);
	}
	dispatch_group_leave(group);
	for (int i = 0; i < 6; i++)
		dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	_Block_release(on_heap);
	printf("%d runs\n", __atomic_load_n(&runs, __ATOMIC_RELAXED));
	return 0;
}
