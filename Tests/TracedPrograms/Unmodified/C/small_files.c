// A program with a file size limit of 64 KiB: only its own files may cause the limit's signal.
//: ends SIGXFSZ
//: discards
#include "check.h"
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
	struct rlimit limit = { 64 * 1024, 64 * 1024 };
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	dispatch_queue_t queue = dispatch_queue_create("small", NULL);
	__block int runs = 0;
	for (int i = 0; i < 50000; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	dispatch_apply(1000, NULL, ^(size_t i) { (void)i; });
	printf("%d runs\n", runs);
	fflush(stdout);
	char path[] = "/tmp/queuescope-limit.XXXXXX";
	int file = mkstemp(path);
	CHECK(file >= 0 && unlink(path) == 0);
	(void)!ftruncate(file, 65 * 1024);
	puts("not reached");
	return 0;
}
