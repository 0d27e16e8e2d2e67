#define _GNU_SOURCE
#include "CKernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int64_t qs_process_read(int pid, uint64_t address, void *buffer, size_t size)
{
	struct iovec local = {.iov_base = buffer, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
	ssize_t count = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	return count < 0 ? -errno : count;
}

int qs_process_write(int tid, uint64_t address, const void *bytes, size_t size)
{
	char path[32];
	snprintf(path, sizeof path, "/proc/%d/mem", tid);
	int file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0) return errno;
	ssize_t count = pwrite(file, bytes, size, (off_t)address);
	int error = count < 0 ? errno : count == (ssize_t)size ? 0 : EIO;
	close(file);
	return error;
}
