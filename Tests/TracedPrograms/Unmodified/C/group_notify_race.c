// Notifications race with the last leave: each runs exactly once, and never before the leave.
//: items 9001
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_get_global_queue(0, 0);
	dispatch_queue_t notifications = dispatch_queue_create("race.notifications", NULL);
	atomic_int *left = calloc(3000, sizeof *left);
	__block int notified = 0;

	for (int round = 0; round < 3000; round++) {
		dispatch_group_t group = dispatch_group_create();
		atomic_int *flag = &left[round];
		dispatch_group_enter(group);
		dispatch_async(queue, ^{
			atomic_store(flag, 1);
			dispatch_group_leave(group);
		});
		dispatch_group_notify(group, notifications, ^{
			CHECK(atomic_load(flag) == 1);
			notified++;
		});
		CHECK(dispatch_group_wait(group, DISPATCH_TIME_FOREVER) == 0);
		dispatch_sync(notifications, ^{ });
		dispatch_release(group);
	}
	dispatch_sync(notifications, ^{ });
	printf("%d notified\n", notified);
	free(left);
	dispatch_release(notifications);
	return 0;
}
