// Read and write sources on a pipe and on a socket pair, until all data has arrived.
#include "check.h"
#include <dispatch/dispatch.h>
#include <sys/socket.h>
#include <unistd.h>

static int transfer(int reader, int writer)
{
	dispatch_queue_t queue = dispatch_queue_create("descriptors", NULL);
	dispatch_semaphore_t closed = dispatch_semaphore_create(0);
	__block int received = 0;
	__block int sent = 0;

	dispatch_source_t input = dispatch_source_create(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)reader, 0, queue);
	dispatch_source_set_event_handler(input, ^{
		char bytes[100];
		CHECK(dispatch_source_get_handle(input) == (uintptr_t)reader);
		received += (int)read(reader, bytes, sizeof bytes);
		// Ends by count, because libdispatch sometimes misses the end of a pipe's stream on Linux.
		if (received == 1000)
			dispatch_source_cancel(input);
	});
	dispatch_source_set_cancel_handler(input, ^{
		close(reader);
		dispatch_semaphore_signal(closed);
	});
	dispatch_source_t output = dispatch_source_create(DISPATCH_SOURCE_TYPE_WRITE, (uintptr_t)writer, 0, queue);
	dispatch_source_set_event_handler(output, ^{
		sent += (int)write(writer, "0123456789", 10);
		if (sent == 1000)
			dispatch_source_cancel(output);
	});
	dispatch_source_set_cancel_handler(output, ^{ close(writer); });
	dispatch_activate(input);
	dispatch_activate(output);
	dispatch_semaphore_wait(closed, DISPATCH_TIME_FOREVER);
	CHECK(sent == 1000);
	dispatch_release(output);
	dispatch_release(input);
	dispatch_release(queue);
	return received;
}

int main(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	printf("pipe %d\n", transfer(ends[0], ends[1]));
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	printf("socket %d\n", transfer(ends[0], ends[1]));
	return 0;
}
