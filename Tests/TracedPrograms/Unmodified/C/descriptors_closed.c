// A program that closes all unknown descriptors before and between its work, as daemons do.
#define _GNU_SOURCE
//: items 20003
#include "check.h"
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("closed", NULL);
	dispatch_sync(queue, ^{ });
	for (int descriptor = 3; descriptor < 1024; descriptor++)
		close(descriptor);
	int ends[2];
	CHECK(pipe(ends) == 0);
	__block int runs = 0;
	for (int i = 0; i < 20000; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	// No other code may write to a descriptor that the program reused.
	CHECK(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
	char byte;
	CHECK(read(ends[0], &byte, 1) == -1);
	closefrom(3);
	dispatch_sync(queue, ^{ runs++; });
	printf("%d runs\n", runs);
	return 0;
}
