// The lowest free descriptor and the open descriptors: only the program's own.
#include "check.h"
#include <dirent.h>
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

/* The open descriptors below 64, as bits. */
static uint64_t open_descriptors(void)
{
	uint64_t bits = 0;
	for (int descriptor = 0; descriptor < 64; descriptor++)
		if (fcntl(descriptor, F_GETFD) >= 0)
			bits |= 1ULL << descriptor;
	return bits;
}

/* Number of open descriptors; with FD_CLOEXEC only those that exec closes. Other descriptors may be inherited from the
   starting process, if one of its threads opened a file at that moment. */
static int listed_descriptors(int flags)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;
	for (struct dirent *entry; (entry = readdir(directory));) {
		int descriptor = atoi(entry->d_name);
		if (entry->d_name[0] != '.' && descriptor != dirfd(directory) && (fcntl(descriptor, F_GETFD) & flags) == flags)
			count++;
	}
	closedir(directory);
	return count;
}

int main(void)
{
	uint64_t at_start = open_descriptors();
	int listed_at_start = listed_descriptors(0);
	int opened_at_start = listed_descriptors(FD_CLOEXEC);
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(next);

	dispatch_queue_t queue = dispatch_queue_create("descriptors", NULL);
	for (int i = 0; i < 1000; i++)
		dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ });
	// A thread that starts may have a file open temporarily.
	while (open_descriptors() != at_start || listed_descriptors(0) != listed_at_start)
		usleep(1000);
	int again = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK(again == next);
	printf("%d opened before main, next %d\n", opened_at_start, next);
	return 0;
}
