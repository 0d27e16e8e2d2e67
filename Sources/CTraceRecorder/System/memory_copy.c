#define _GNU_SOURCE
#include "../Gate/thread_guard.h"
#include "memory_copy.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>


enum { SMALLEST_PAGE = 4096 };

// seccomp mode when the recorder started. A filter that the program installs later may kill it for this call.
static int seccomp_at_begin = -1;

__attribute__((constructor(101))) static void note_seccomp(void)
{
	seccomp_at_begin = prctl(PR_GET_SECCOMP);
}

ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes)
{
	if (qs_thread_is_sandboxed) return -1;
	struct iovec local = {to, bytes};
	// One element for each page: the copy ends at the first page that is not mapped.
	struct iovec pages[QS_MOST_COPIED / SMALLEST_PAGE + 1];
	uintptr_t end = from + bytes;
	size_t count = 0;
	while (from < end) {
		uintptr_t next = (from | (SMALLEST_PAGE - 1)) + 1;
		if (next > end) next = end;
		pages[count++] = (struct iovec){(void *)from, next - from};
		from = next;
	}
	int saved_errno = errno;
	bool may_copy = prctl(PR_GET_SECCOMP) == seccomp_at_begin;
	ssize_t copied = may_copy ? process_vm_readv(getpid(), &local, 1, pages, count, 0) : -1;
	if (may_copy && copied < 0 && errno == EFAULT) copied = 0;
	errno = saved_errno;
	return copied;
}
