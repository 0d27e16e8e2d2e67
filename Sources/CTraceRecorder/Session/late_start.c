#define _GNU_SOURCE
#include "late_start.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "../Events/recorder.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "../System/system_calls.h"
#include "../System/system_clock.h"
#include "CTraceRecorder.h"
#include "main_thread_end.h"

static const int64_t MILLISECOND = 1000 * 1000;

enum {
	// Longest wait for the start of the session: while the recorder's thread gets no processor, or LTTng's library
	// cannot be loaded. Events before the start are not recorded.
	BEGIN_TIMEOUT_MS = 500,
	// Longest wait for the loader's lock. Events before that have no stacks.
	LOAD_TIMEOUT_MS = 50,
};

enum step { WAITING, BEGUN, LOADED };

static struct {
	void (*begin)(void);
	void (*load)(void);
	uint32_t caller_tid;
	uint32_t step;       // atomic, futex: enum step
} late;

static void reach(enum step step)
{
	__atomic_store_n(&late.step, step, __ATOMIC_RELEASE);
	qs_futex_wake(&late.step);
}

static void wait_for(enum step wanted, long milliseconds)
{
	int64_t end = qs_clock_system(CLOCK_MONOTONIC) + milliseconds * MILLISECOND;
	uint32_t step;
	while ((step = __atomic_load_n(&late.step, __ATOMIC_ACQUIRE)) < wanted && qs_clock_system(CLOCK_MONOTONIC) < end)
		qs_futex_wait(&late.step, step, end);
}

static void *start(void *unused)
{
	prctl(PR_SET_NAME, QS_RECORDER_NAME);
	qs_recorder_set_late_starter(qs_current_tid());
	late.begin();
	reach(BEGUN);
	late.load();
	qs_recorder_set_late_starter(0);
	reach(LOADED);
	return unused;
}

void qs_start_late(void (*begin)(void), void (*load)(void))
{
	int saved_errno = errno;
	late.begin = begin;
	late.load = load;
	late.caller_tid = qs_current_tid();
	// The session's start does the same: it takes the kernel milliseconds in a process with more than one thread.
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	pthread_t thread;
	if (qs_recorder_thread_start(&thread, QS_SMALL_STACK, start, NULL)) {
		pthread_detach(thread);
		wait_for(BEGUN, BEGIN_TIMEOUT_MS);
		wait_for(LOADED, LOAD_TIMEOUT_MS);
		qs_main_thread_prepare_end();
	} else {
		begin();
		load();
	}
	errno = saved_errno;
}

uint32_t qs_starter_tid(void)
{
	uint32_t tid = qs_current_tid();
	if (qs_recorder_is_control_thread(tid)) return (uint32_t)getpid(); // the main thread
	return qs_recorder_is_late_starter(tid) ? late.caller_tid : tid;
}
