// I/O channels, reads and writes with functions instead of blocks, and the convenience functions.
#include "check.h"
#include <dispatch/dispatch.h>
#include <unistd.h>

void dispatch_read_f(int fd, size_t length, dispatch_queue_t queue, void *context,
		     void (*handler)(void *context, dispatch_data_t data, int error));
void dispatch_write_f(int fd, dispatch_data_t data, dispatch_queue_t queue, void *context,
		      void (*handler)(void *context, dispatch_data_t data, int error));

static dispatch_semaphore_t step;

static void was_read(void *context, dispatch_data_t data, int error)
{
	CHECK(error == 0);
	*(size_t *)context = dispatch_data_get_size(data);
	dispatch_semaphore_signal(step);
}

static void was_written(void *context, dispatch_data_t data, int error)
{
	CHECK(context == NULL && error == 0 && data == NULL);
	dispatch_semaphore_signal(step);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("io.functions", NULL);
	step = dispatch_semaphore_create(0);
	int ends[2];
	CHECK(pipe(ends) == 0);
	dispatch_data_t data = dispatch_data_create("seven!!", 7, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);

	dispatch_write(ends[1], data, queue, ^(dispatch_data_t rest, int error) {
		CHECK(rest == NULL && error == 0);
		dispatch_semaphore_signal(step);
	});
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	dispatch_read(ends[0], 7, queue, ^(dispatch_data_t bytes, int error) {
		CHECK(error == 0);
		printf("block %zu\n", dispatch_data_get_size(bytes));
		dispatch_semaphore_signal(step);
	});
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);

	size_t size = 0;
	dispatch_write_f(ends[1], data, queue, NULL, was_written);
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	dispatch_read_f(ends[0], 7, queue, &size, was_read);
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	printf("function %zu\n", size);

	// An invalid descriptor.
	dispatch_read(-1, 1, queue, ^(dispatch_data_t bytes, int error) {
		printf("refused %d, %zu\n", error != 0, bytes ? dispatch_data_get_size(bytes) : 0);
		dispatch_semaphore_signal(step);
	});
	dispatch_semaphore_wait(step, DISPATCH_TIME_FOREVER);
	dispatch_release(data);
	return 0;
}
