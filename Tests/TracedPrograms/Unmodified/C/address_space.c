// A program with a limited address space: its own allocations fail as without recording, and its items run.
#include "check.h"
#include <dispatch/dispatch.h>
#include <sys/resource.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("space", NULL);
	dispatch_sync(queue, ^{ });
	struct rlimit limit = { 1ULL << 30, 1ULL << 30 };
	CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
	void *volatile too_large = malloc(2ULL << 30);
	CHECK(too_large == NULL);
	__block int runs = 0;
	for (int i = 0; i < 20000; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	void *volatile block = malloc(100 << 20);
	CHECK(block != NULL);
	free(block);
	printf("%d runs\n", runs);
	return 0;
}
