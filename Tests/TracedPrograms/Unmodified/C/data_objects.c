// Data objects: concatenated, cut, iterated and mapped. Their destructors run once, on the given queue.
#include "check.h"
#include <dispatch/dispatch.h>
#include <string.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("data.destructors", NULL);
	dispatch_semaphore_t destroyed = dispatch_semaphore_create(0);

	char *left = strdup("left ");
	dispatch_data_t a = dispatch_data_create(left, 5, queue, ^{
		dispatch_assert_queue(queue);
		free(left);
		dispatch_semaphore_signal(destroyed);
	});
	dispatch_data_t b = dispatch_data_create(strdup("right"), 5, queue, DISPATCH_DATA_DESTRUCTOR_FREE);
	dispatch_data_t both = dispatch_data_create_concat(a, b);
	dispatch_data_t middle = dispatch_data_create_subrange(both, 3, 4);
	dispatch_release(a);
	dispatch_release(b);
	CHECK(dispatch_data_get_size(both) == 10);
	__block int regions = 0;
	CHECK(dispatch_data_apply(both, ^bool(dispatch_data_t region, size_t offset, const void *bytes, size_t size) {
		(void)region;
		(void)offset;
		(void)bytes;
		CHECK(size == 5);
		regions++;
		return true;
	}));
	const void *bytes;
	size_t size;
	dispatch_data_t map = dispatch_data_create_map(middle, &bytes, &size);
	printf("%d regions, [%.*s]\n", regions, (int)size, (const char *)bytes);
	dispatch_release(map);
	dispatch_release(middle);
	CHECK(dispatch_semaphore_wait(destroyed, DISPATCH_TIME_NOW) != 0);
	dispatch_release(both);
	dispatch_semaphore_wait(destroyed, DISPATCH_TIME_FOREVER);
	puts("destroyed");
	return 0;
}
