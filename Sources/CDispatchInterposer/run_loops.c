// Timers of run loops. A timer fires only while a thread runs its run loop, and a thread that never does so, such as a
// worker of libdispatch, has a run loop as well. Foundation calls CoreFoundation's functions through the PLT, also
// inside its own library.
//
//	CFRunLoopAddTimer           run_loop_timer, unless the run loop is running
//	CFRunLoopTimerInvalidate    run_loop_timer_end
//	CFRunLoopRun, …RunInMode    run_loop_run
//
// Only in the preload object. A program without Foundation that looks up one of these functions by name finds the hook,
// which then does nothing.
#include "callers.h"

#ifdef QS_FRONT_END_PRELOAD

static void record_timer(void *loop, void *timer, struct qs_call_site *site, uint32_t stack)
{
	const struct qs_run_loop_functions *functions = &qs_run_loop_functions;
	if (functions->copy_mode == NULL || functions->next_fire == NULL || functions->now == NULL
		|| functions->release == NULL) return;
	void *mode = functions->copy_mode(loop);
	if (mode != NULL) {
		functions->release(mode);
		return;
	}
	// At most a century: larger numbers do not fit.
	enum { LONGEST = 3153600000 };
	double due = functions->next_fire(timer) - functions->now();
	double seconds = due > 0 ? due < (double)LONGEST ? due : (double)LONGEST : 0;
	qs_record_run_loop_timer((uint64_t)(uintptr_t)loop, (uint64_t)(uintptr_t)timer, (uint64_t)(seconds * 1e9),
		site->code, stack);
}

// Recorded before the call: another thread that runs the run loop may release the timer during it.
QS_HOOK(void, CFRunLoopAddTimer, (void *loop, void *timer, const void *mode))
{
	__typeof__(qs_originals.CFRunLoopAddTimer) add = foundation_original(CFRunLoopAddTimer);
	if (loop != NULL && timer != NULL && qs_hook_records()) {
		struct qs_call_site *site = qs_this_call_site();
		record_timer(loop, timer, site, qs_call_site_stack(site));
	}
	if (add != NULL) add(loop, timer, mode);
}

QS_HOOK(void, CFRunLoopTimerInvalidate, (void *timer))
{
	__typeof__(qs_originals.CFRunLoopTimerInvalidate) invalidate = foundation_original(CFRunLoopTimerInvalidate);
	if (timer != NULL && qs_hook_records()) qs_record_run_loop_timer_end((uint64_t)(uintptr_t)timer);
	if (invalidate != NULL) invalidate(timer);
}

static void record_run(void)
{
	if (qs_run_loop_functions.current == NULL) return;
	qs_record_run_loop_run((uint64_t)(uintptr_t)qs_run_loop_functions.current());
}

QS_HOOK(void, CFRunLoopRun, (void))
{
	__typeof__(qs_originals.CFRunLoopRun) run = foundation_original(CFRunLoopRun);
	if (qs_hook_records()) record_run();
	if (run != NULL) run();
}

QS_HOOK(int32_t, CFRunLoopRunInMode, (const void *mode, double seconds, unsigned char returns))
{
	__typeof__(qs_originals.CFRunLoopRunInMode) run = foundation_original(CFRunLoopRunInMode);
	if (qs_hook_records()) record_run();
	enum { FINISHED = 1 };
	return run != NULL ? run(mode, seconds, returns) : FINISHED;
}

#endif
