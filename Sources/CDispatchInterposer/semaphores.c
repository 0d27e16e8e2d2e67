// Counting semaphores. Calls from libdispatch itself belong to its worker threads: see workers.h.
#include "callers.h"
#include "workers.h"

QS_HOOK(void *, dispatch_semaphore_create, (intptr_t value))
{
	void *semaphore = original(dispatch_semaphore_create)(value);
	if (semaphore != NULL && qs_hook_records()) {
		qs_record_semaphore_create((uint64_t)(uintptr_t)semaphore, value, qs_program_caller_code());
	}
	return semaphore;
}

QS_HOOK(intptr_t, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout))
{
	bool is_worker = qs_is_in_libdispatch(__builtin_return_address(0))
		&& (qs_hook_thread.is_worker || (qs_is_recording() && qs_worker_adopt(semaphore)));
	if (is_worker) return qs_worker_park(semaphore, timeout);
	if (semaphore == NULL || !qs_hook_records()) return original(dispatch_semaphore_wait)(semaphore, timeout);
	uint64_t id = (uint64_t)(uintptr_t)semaphore;
	qs_record_semaphore_wait_begin(id, qs_program_caller_code());
	intptr_t result = original(dispatch_semaphore_wait)(semaphore, timeout);
	qs_record_semaphore_wait_end(id, result != 0);
	return result;
}

// Recorded before the call: the waiter may continue before the signal returns.
QS_HOOK(intptr_t, dispatch_semaphore_signal, (void *semaphore))
{
	if (qs_unlikely(qs_is_in_libdispatch(__builtin_return_address(0)))) return qs_worker_request(semaphore);
	if (semaphore != NULL && qs_hook_records()) {
		qs_record_semaphore_signal((uint64_t)(uintptr_t)semaphore, qs_caller_code());
	}
	return original(dispatch_semaphore_signal)(semaphore);
}
