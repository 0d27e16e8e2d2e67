// A program that may open at most eight files, and opens all of them.
//: discards
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
	struct rlimit limit = { 8, 8 };
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	int opened = 0;
	while (dup(STDOUT_FILENO) >= 0)
		opened++;
	CHECK(errno == EMFILE);
	dispatch_queue_t queue = dispatch_queue_create("few", NULL);
	__block int runs = 0;
	for (int i = 0; i < 5000; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	printf("%d opened, %d runs\n", opened, runs);
	return 0;
}
