// A program that restricts its own system calls by a seccomp filter.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/stream.h"
#include "../../../Sources/CTraceRecorder/Session/sandbox.h"
#include "CTraceRecorder.h"
#include "probe.h"

// Installs a filter that returns this verdict for this system call: in this thread, or with SECCOMP_FILTER_FLAG_TSYNC
// in all existing threads.
static bool filter_call_with(unsigned flags, uint32_t call, uint32_t verdict)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
		&& syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
}

static bool filter_call(uint32_t call, uint32_t verdict)
{
	return filter_call_with(SECCOMP_FILTER_FLAG_TSYNC, call, verdict);
}

// As in a container that forbids perf_event_open.
int probe_switches_forbidden(int argc, char **argv)
{
	if (argc < 2 || !filter_call(SYS_perf_event_open, SECCOMP_RET_ERRNO | EPERM)) return 64;
	return probe_switches(3, (char *[]){argv[0], "threads-last", argv[1]});
}

// Sleeps long enough for the recorder to ask where the thread is, before and after a filter makes each call by which
// the recorder asks fatal.
int probe_questions_forbidden(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 0);
	qs_record_item_begin(1, 17);
	usleep(3 * 1000 * 1000); // the recorder asks in this time, also on a busy machine
	if (!filter_call(SYS_process_vm_readv, SECCOMP_RET_KILL_PROCESS)) return 1;
	for (int turn = 0; turn < 10; turn++) usleep(50 * 1000);
	qs_session_stop();
	return 0;
}

// A filter refuses the lock that shows readers that the trace is being recorded. Prints whether the trace has a
// reference to its memory, with which a reader would complete it.
int probe_without_lock(int argc, char **argv)
{
	enum { EVENTS = 100 };
	if (argc < 1 || !filter_call(SYS_flock, SECCOMP_RET_ERRNO | EPERM)) return 64;
	probe_start(argv[0], 0);
	for (uint64_t index = 0; index < EVENTS; index++) qs_record_item_begin(index, 17);
	char reference[4096];
	snprintf(reference, sizeof reference, "%s/.arena", argv[0]);
	int exists = access(reference, F_OK) == 0;
	printf("reference %d discarded %lu\n", exists, (unsigned long)qs_session_stop());
	return 0;
}

// A thread whose filter kills for the call that gives memory to the records of streams. As at the start of a later
// session, a stream of this thread may have no record yet.
int probe_sandboxed_records(int argc, char **argv)
{
	if (argc < 1) return 64;
	probe_start(argv[0], 0);
	qs_sandbox_begin();
	if (!filter_call_with(0, SYS_madvise, SECCOMP_RET_KILL_PROCESS)) return 1;
	printf("first %d last %d\n", qs_arena_has_record(0), qs_arena_has_record(QS_MAX_STREAMS / 16));
	fflush(stdout);
	_exit(0);
}
