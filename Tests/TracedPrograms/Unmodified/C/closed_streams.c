// A program without standard streams: its first opened files get the descriptors 0 to 2.
//: ends 4
#include "check.h"
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int output = dup(STDOUT_FILENO);
	for (int descriptor = 0; descriptor < 3; descriptor++)
		close(descriptor);
	dispatch_queue_t queue = dispatch_queue_create("streams", NULL);
	dispatch_sync(queue, ^{ });
	for (int descriptor = 0; descriptor < 3; descriptor++)
		CHECK(open("/dev/null", O_RDWR) == descriptor);
	for (int i = 0; i < 1000; i++)
		dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ });
	dprintf(output, "%d is free again\n", dup(output) - output);
	return 4;
}
