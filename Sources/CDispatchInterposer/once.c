// dispatch_once is not recorded, but the calls that its function makes are. A function that ends with a call of
// libdispatch tail-calls it, and the hook then sees the return address of dispatch_once_f, as for a call from
// libdispatch itself. The runner in between prevents this.
#include "hooks.h"

struct once_call {
	qs_function_t work;
	void *context;
};

__attribute__((disable_tail_calls)) static QS_RUNNER void run_once(void *context)
{
	struct once_call *call = context;
	call->work(call->context);
}

QS_HOOK(void, dispatch_once_f, (intptr_t *predicate, void *context, qs_function_t work))
{
	if (!qs_is_recording() || predicate == NULL || work == NULL) {
		original(dispatch_once_f)(predicate, context, work);
		return;
	}
	struct once_call call = {work, context};
	original(dispatch_once_f)(predicate, &call, run_once);
}
