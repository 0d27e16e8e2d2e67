#define _GNU_SOURCE
#include "CKernel.h"

#include <errno.h>
#include <sys/uio.h>

int64_t qs_process_read(int pid, uint64_t address, void *buffer, size_t size)
{
	struct iovec local = {.iov_base = buffer, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
	ssize_t count = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	return count < 0 ? -errno : count;
}
