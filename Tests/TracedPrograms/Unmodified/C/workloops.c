// Workloops, which libdispatch exports on Linux too. Only asynchronous items: waits and targets crash there.
//: items 10
#include "check.h"
#include "unlisted.h"

int main(void)
{
	dispatch_queue_t workloop = dispatch_workloop_create("workloop");
	dispatch_semaphore_t done = dispatch_semaphore_create(0);
	__block int runs = 0;

	for (int i = 0; i < 10; i++) {
		dispatch_async(workloop, ^{
			runs++;
			dispatch_semaphore_signal(done);
		});
		dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	}
	printf("%d runs\n", runs);
	return 0;
}
