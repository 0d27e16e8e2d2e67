// Ten thousand queues at once with one item each, then ten thousand more, each released after one item.
//: items 20000
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

enum { COUNT = 10000 };

int main(void)
{
	dispatch_queue_t *queues = calloc(COUNT, sizeof *queues);
	dispatch_group_t group = dispatch_group_create();
	__block atomic_int runs = 0;

	for (int i = 0; i < COUNT; i++) {
		char label[32];
		snprintf(label, sizeof label, "many.%d", i);
		queues[i] = dispatch_queue_create_with_target(label, NULL, dispatch_get_global_queue(0, 0));
	}
	for (int i = 0; i < COUNT; i++)
		dispatch_group_async(group, queues[i], ^{ atomic_fetch_add(&runs, 1); });
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	for (int i = 0; i < COUNT; i++)
		dispatch_release(queues[i]);
	for (int i = 0; i < COUNT; i++) {
		dispatch_queue_t queue = dispatch_queue_create("short", NULL);
		dispatch_sync(queue, ^{ atomic_fetch_add(&runs, 1); });
		dispatch_release(queue);
	}
	printf("%d runs\n", runs);
	free(queues);
	return 0;
}
