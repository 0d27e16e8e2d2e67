// Legacy functions: changing width, label and target of a queue in use, and the current queue.
#include "check.h"
#include "unlisted.h"
#include <stdatomic.h>

dispatch_queue_t dispatch_get_current_queue(void);

int main(void)
{
	dispatch_queue_t first = dispatch_queue_create("legacy.first", NULL);
	dispatch_queue_t second = dispatch_queue_create("legacy.second", NULL);
	dispatch_queue_t queue = dispatch_queue_create("legacy", DISPATCH_QUEUE_CONCURRENT);
	__block atomic_int runs = 0;

	CHECK(dispatch_get_current_queue() == dispatch_get_main_queue() ||
	      dispatch_get_current_queue() == dispatch_get_global_queue(0, 2));
	dispatch_queue_set_width(queue, 4);
	for (int i = 0; i < 20; i++) {
		dispatch_set_target_queue(queue, i % 2 ? first : second);
		dispatch_async(queue, ^{ atomic_fetch_add(&runs, 1); });
		dispatch_barrier_async(queue, ^{ CHECK(dispatch_get_current_queue() == queue); });
	}
	dispatch_barrier_sync(queue, ^{ });
	dispatch_queue_t unnamed = dispatch_queue_create(NULL, NULL);
	dispatch_queue_set_label_nocopy(unnamed, "renamed");
	dispatch_sync(unnamed, ^{ puts(dispatch_queue_get_label(NULL)); });
	printf("%d runs\n", runs);
	dispatch_release(queue);
	dispatch_release(second);
	dispatch_release(first);
	return 0;
}
