// dispatch_once: nothing of it is recorded, but what its function does. A function that ends with a call of libdispatch
// jumps there, so that the caller which the hook sees is dispatch_once_f: a call of libdispatch's own, by all
// appearances. With a function of ours in between it is not.
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
