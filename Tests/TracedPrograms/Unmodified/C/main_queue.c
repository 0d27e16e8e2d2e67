// The main queue drained by dispatch_main: asynchronous items, waits of other threads, and exit in an item.
//: items 6
//: ends 3
#include "check.h"
#include "unlisted.h"

int main(void)
{
	dispatch_queue_t main_queue = dispatch_get_main_queue();
	dispatch_queue_t worker = dispatch_queue_create("main.worker", NULL);
	static int runs;

	// The main thread may use the queue directly before it is drained.
	dispatch_async(main_queue, ^{ runs++; });
	dispatch_async(worker, ^{
		dispatch_sync(main_queue, ^{ dispatch_assert_queue(main_queue); runs++; });
		dispatch_async_and_wait(main_queue, ^{ runs++; });
		dispatch_barrier_sync(main_queue, ^{ runs++; });
		dispatch_after(dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC), main_queue, ^{
			printf("%d runs\n", runs);
			exit(3);
		});
	});
	dispatch_main();
}
