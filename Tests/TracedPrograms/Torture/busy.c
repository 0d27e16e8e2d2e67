// Uses Dispatch on several queues, for a number of rounds or until it is killed.
// usage: busy ROUNDS
#include <dispatch/dispatch.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 100;
	dispatch_queue_t serial = dispatch_queue_create("torture.serial", NULL);
	dispatch_queue_t concurrent = dispatch_queue_create("torture.concurrent", DISPATCH_QUEUE_CONCURRENT);
	dispatch_group_t group = dispatch_group_create();
	__block long runs = 0;
	for (long round = 0; rounds == 0 || round < rounds; round++) {
		for (int item = 0; item < 8; item++) {
			dispatch_group_async(group, concurrent, ^{
				dispatch_sync(serial, ^{ runs++; });
			});
		}
		dispatch_barrier_sync(concurrent, ^{});
		dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
		dispatch_queue_t own = dispatch_queue_create("torture.own", NULL);
		dispatch_async(own, ^{ dispatch_sync(serial, ^{ runs++; }); });
		dispatch_sync(own, ^{});
		dispatch_release(own);
	}
	printf("%ld runs\n", runs);
	return 0;
}
