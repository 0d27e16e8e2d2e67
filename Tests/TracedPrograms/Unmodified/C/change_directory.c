// A program that changes to another directory and to the root directory, and writes files with relative paths.
#include "check.h"
#include <dispatch/dispatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char path[] = "/tmp/queuescope-directory.XXXXXX";
	CHECK(mkdtemp(path) != NULL);
	dispatch_queue_t queue = dispatch_queue_create("directory", NULL);
	dispatch_sync(queue, ^{ });
	CHECK(chdir(path) == 0);
	CHECK(mkdir("sub", 0777) == 0);
	for (int i = 0; i < 2000; i++)
		dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ });
	// The directories contain only files that the program created.
	CHECK(rmdir("sub") == 0);
	CHECK(chdir("/") == 0);
	CHECK(rmdir(path) == 0);
	char directory[64];
	puts(getcwd(directory, sizeof directory));
	return 0;
}
