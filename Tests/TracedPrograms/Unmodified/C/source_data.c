// Data sources: add sums up, or collects bits, replace keeps the last value. Many threads merge at once.
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("data", NULL);

	dispatch_source_t add = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
	dispatch_semaphore_t complete = dispatch_semaphore_create(0);
	__block unsigned long sum = 0;
	dispatch_source_set_event_handler(add, ^{
		CHECK(dispatch_source_get_handle(add) == 0);
		CHECK(dispatch_source_get_mask(add) == 0);
		sum += dispatch_source_get_data(add);
		if (sum == 5050)
			dispatch_semaphore_signal(complete);
	});
	dispatch_activate(add);
	dispatch_apply(100, dispatch_get_global_queue(0, 0), ^(size_t i) { dispatch_source_merge_data(add, i + 1); });
	dispatch_semaphore_wait(complete, DISPATCH_TIME_FOREVER);
	printf("sum %lu\n", sum);

	dispatch_source_t or = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_OR, 0, 0, queue);
	__block unsigned long bits = 0;
	dispatch_source_set_event_handler(or, ^{
		bits |= dispatch_source_get_data(or);
		if (bits == 0xFF)
			dispatch_semaphore_signal(complete);
	});
	dispatch_activate(or);
	for (int i = 0; i < 8; i++)
		dispatch_source_merge_data(or, 1UL << i);
	dispatch_semaphore_wait(complete, DISPATCH_TIME_FOREVER);
	printf("bits %lx\n", bits);

	dispatch_source_t replace = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_REPLACE, 0, 0, queue);
	dispatch_source_set_event_handler(replace, ^{
		printf("last %lu\n", (unsigned long)dispatch_source_get_data(replace));
		dispatch_semaphore_signal(complete);
	});
	dispatch_activate(replace);
	dispatch_suspend(replace);
	for (unsigned long i = 1; i <= 7; i++)
		dispatch_source_merge_data(replace, i);
	dispatch_resume(replace);
	dispatch_semaphore_wait(complete, DISPATCH_TIME_FOREVER);

	dispatch_source_cancel(add);
	dispatch_source_cancel(or);
	dispatch_source_cancel(replace);
	return 0;
}
