#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "gate.h"
#include "identity.h"

static struct {
	pthread_t thread;
	bool is_running;       // atomic
	bool has_joiner;       // atomic: a thread has joined the recorder thread, or is joining it
	uint32_t requests;     // atomic, futex: counts wake-ups
	uint32_t late_starter;   // atomic
	uint32_t control_thread; // atomic
} recorder;

uint32_t qs_second_recorder;

bool qs_recorder_start(void *(*body)(void *))
{
	recorder.has_joiner = false;
	bool is_running = qs_recorder_thread_start(&recorder.thread, QS_SMALL_STACK, body, NULL);
	__atomic_store_n(&recorder.is_running, is_running, __ATOMIC_RELAXED);
	return is_running;
}

bool qs_recorder_is_running(void)
{
	return __atomic_load_n(&recorder.is_running, __ATOMIC_RELAXED);
}

void qs_recorder_wake(void)
{
	if (!qs_recorder_is_running()) return;
	int saved_errno = errno;
	__atomic_fetch_add(&recorder.requests, 1, __ATOMIC_RELEASE);
	// Without the system call, the recorder thread sees the request when its pause ends.
	if (!qs_thread_is_sandboxed) qs_futex_wake(&recorder.requests);
	errno = saved_errno;
}

uint32_t qs_recorder_requests(void)
{
	return __atomic_load_n(&recorder.requests, __ATOMIC_ACQUIRE);
}

void qs_recorder_sleep(uint32_t requests, int64_t until_ns)
{
	qs_futex_wait(&recorder.requests, requests, until_ns);
}

void qs_recorder_join(void)
{
	if (!__atomic_exchange_n(&recorder.has_joiner, true, __ATOMIC_RELAXED)) pthread_join(recorder.thread, NULL);
}

void qs_recorder_forget(void)
{
	__atomic_store_n(&recorder.is_running, false, __ATOMIC_RELAXED);
}

bool qs_recorder_leave_to_parent(void)
{
	bool is_recording = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED) != 0;
	if (!is_recording || qs_thread_is_sandboxed || qs_identity.pid == (uint32_t)getpid()) return false;
	__atomic_store_n(&qs_gate.wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_RELAXED);
	qs_recorder_forget();
	return true;
}

void qs_recorder_set_late_starter(uint32_t tid)
{
	__atomic_store_n(&recorder.late_starter, tid, __ATOMIC_RELAXED);
}

bool qs_recorder_is_late_starter(uint32_t tid)
{
	return tid == __atomic_load_n(&recorder.late_starter, __ATOMIC_RELAXED);
}

void qs_recorder_set_control_thread(uint32_t tid)
{
	__atomic_store_n(&recorder.control_thread, tid, __ATOMIC_RELAXED);
}

bool qs_recorder_is_control_thread(uint32_t tid)
{
	return tid == __atomic_load_n(&recorder.control_thread, __ATOMIC_RELAXED);
}

bool qs_recorder_owns(uint32_t tid)
{
	return qs_recorder_is_late_starter(tid) || qs_recorder_is_control_thread(tid)
		|| tid == __atomic_load_n(&qs_second_recorder, __ATOMIC_RELAXED);
}
