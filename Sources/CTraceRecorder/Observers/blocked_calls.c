#include "blocked_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../System/system_calls.h"
#include "CTraceRecorder.h"
#include "blocked_stack.h"
#include "descriptor_kind.h"

static int filter_mode; // of the system calls of the recorder thread, at the start

void qs_blocked_calls_start(void)
{
	filter_mode = prctl(PR_GET_SECCOMP);
}

bool qs_blocked_calls_are_allowed(void)
{
	return prctl(PR_GET_SECCOMP) == filter_mode;
}

// MARK: System calls

// System calls that threads block in, with the numbers of this architecture.
static const struct known_call {
	long number;
	const char *name;
	enum { NO_DESCRIPTOR, DESCRIPTOR, SOCKET } first; // its first argument, if that is its only descriptor
} known_calls[] = {
#define QS_CALL(name) {SYS_##name, #name, NO_DESCRIPTOR},
#define QS_FILE_CALL(name) {SYS_##name, #name, DESCRIPTOR},
#define QS_SOCKET_CALL(name) {SYS_##name, #name, SOCKET},
	QS_CALL(clock_nanosleep) QS_CALL(epoll_pwait) QS_CALL(futex) QS_CALL(madvise) QS_CALL(mmap) QS_CALL(mprotect)
	QS_CALL(msgrcv) QS_CALL(msync) QS_CALL(munmap) QS_CALL(nanosleep) QS_CALL(openat) QS_CALL(ppoll) QS_CALL(pselect6)
	QS_CALL(rt_sigtimedwait) QS_CALL(sched_yield) QS_CALL(semtimedop) QS_CALL(sendfile) QS_CALL(splice) QS_CALL(sync)
	QS_CALL(unlinkat) QS_CALL(wait4) QS_CALL(waitid)
	QS_FILE_CALL(fcntl) QS_FILE_CALL(fdatasync) QS_FILE_CALL(flock) QS_FILE_CALL(fsync) QS_FILE_CALL(ftruncate)
	QS_FILE_CALL(getdents64) QS_FILE_CALL(ioctl) QS_FILE_CALL(pread64) QS_FILE_CALL(preadv) QS_FILE_CALL(pwrite64)
	QS_FILE_CALL(pwritev) QS_FILE_CALL(read) QS_FILE_CALL(readv) QS_FILE_CALL(write) QS_FILE_CALL(writev)
	QS_SOCKET_CALL(accept) QS_SOCKET_CALL(accept4) QS_SOCKET_CALL(connect) QS_SOCKET_CALL(recvfrom)
	QS_SOCKET_CALL(recvmsg) QS_SOCKET_CALL(sendmsg) QS_SOCKET_CALL(sendto)
#ifdef SYS_poll
	QS_CALL(epoll_wait) QS_CALL(open) QS_CALL(poll) QS_CALL(rename) QS_CALL(select) QS_CALL(unlink)
#endif
#undef QS_CALL
#undef QS_FILE_CALL
#undef QS_SOCKET_CALL
};

static const struct known_call *find_call(long number)
{
	for (size_t index = 0; index < sizeof known_calls / sizeof known_calls[0]; index++) {
		if (known_calls[index].number == number) return &known_calls[index];
	}
	return NULL;
}

// The kind of the descriptor of a call. If it does not fit the call, the descriptor was closed and its number reused.
static uint8_t descriptor_kind(const struct known_call *call, uint32_t tid, uint64_t descriptor)
{
	if (call->first == NO_DESCRIPTOR || descriptor > INT32_MAX) return qs_descriptor_kind_unknown;
	uint8_t kind = qs_descriptor_kind_read(tid, (uint32_t)descriptor);
	bool fits = call->first != SOCKET || qs_descriptor_kind_is_socket(kind);
	return fits ? kind : qs_descriptor_kind_unknown;
}

// MARK: Reading /proc/self/task/TID/syscall

enum { SYSCALL_FILE_SIZE = 256 };

// Reads "NUMBER ARGUMENT… POINTER ADDRESS", "-1 POINTER ADDRESS" outside of system calls, or "running".
static bool read_syscall_file(uint32_t tid, char text[SYSCALL_FILE_SIZE])
{
	snprintf(text, SYSCALL_FILE_SIZE, "/proc/self/task/%u/syscall", tid);
	int file = open(text, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	ssize_t bytes = read(file, text, SYSCALL_FILE_SIZE - 1);
	close(file);
	if (bytes <= 0) return false;
	text[bytes] = 0;
	return true;
}

// Not read from /proc/…/stat: a thread that is about to sleep has its new state there before it leaves its processor.
// For the file `syscall`, the kernel waits until the thread has left the processor.
enum qs_thread_state qs_thread_state_read(uint32_t tid)
{
	char text[SYSCALL_FILE_SIZE];
	if (!read_syscall_file(tid, text)) return QS_THREAD_UNKNOWN;
	if (text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) return QS_THREAD_BLOCKED;
	return text[0] == 'r' ? QS_THREAD_RUNNABLE : QS_THREAD_UNKNOWN;
}

bool qs_blocked_call_read(uint32_t tid, struct qs_blocked_call *call)
{
	char text[SYSCALL_FILE_SIZE];
	if (!read_syscall_file(tid, text)) return false;
	char *rest;
	long number = strtol(text, &rest, 10);
	if (rest == text) return false;
	unsigned long long fields[8];
	size_t count = 0;
	for (char *field = rest; count < 8; field = rest) {
		fields[count] = strtoull(field, &rest, 16);
		if (rest == field) break;
		count++;
	}
	if (count < 2) return false;
	uintptr_t pointer = (uintptr_t)fields[count - 2], address = (uintptr_t)fields[count - 1];
	const struct known_call *known = find_call(number);
	*call = (struct qs_blocked_call){.name = known != NULL ? known->name : ""};
	// The arguments precede the stack pointer and the address.
	if (known != NULL && count > 2) call->descriptor = descriptor_kind(known, tid, fields[0]);
	call->count = qs_blocked_stack_read(address, pointer, call->frames, QS_BLOCKED_FRAMES);
	return true;
}
