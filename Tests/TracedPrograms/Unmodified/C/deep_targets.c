// A chain of thirty queues. Items of the first queue run on all of them, and waits involve all of them.
//: items 671
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

enum { DEPTH = 30 };

int main(void)
{
	dispatch_queue_t queues[DEPTH];
	__block atomic_int runs = 0;

	for (int i = 0; i < DEPTH; i++) {
		char label[32];
		snprintf(label, sizeof label, "deep.%d", i);
		queues[i] = dispatch_queue_create_with_target(
			label, i % 3 == 1 ? DISPATCH_QUEUE_CONCURRENT : NULL, i == 0 ? NULL : queues[i - 1]);
	}
	dispatch_queue_t *all = queues;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < DEPTH; i++)
			dispatch_async(queues[i], ^{ atomic_fetch_add(&runs, 1); });
		dispatch_sync(queues[DEPTH - 1], ^{
			for (int i = 0; i < DEPTH; i++)
				dispatch_assert_queue(all[i]);
			atomic_fetch_add(&runs, 1);
		});
		dispatch_barrier_sync(queues[DEPTH - 1], ^{ atomic_fetch_add(&runs, 1); });
	}
	dispatch_barrier_sync(queues[0], ^{ });
	for (int i = DEPTH - 1; i >= 0; i--)
		dispatch_barrier_sync(queues[i], ^{ });
	printf("%d runs\n", runs);
	for (int i = 0; i < DEPTH; i++)
		dispatch_release(queues[i]);
	return 0;
}
