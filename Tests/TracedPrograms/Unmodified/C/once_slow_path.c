// dispatch_once while other threads wait for it, with items inside, as a block and as a function. It runs once.
//: items 5
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

static dispatch_once_t once, once_f;
static atomic_int waiting, runs;

static void initialize(void *context)
{
	CHECK(context == &runs);
	dispatch_sync(dispatch_queue_create("once.inner", NULL), ^{ atomic_fetch_add(&runs, 1); });
}

static void enter(void *context)
{
	(void)context;
	atomic_fetch_add(&waiting, 1);
	dispatch_once(&once, ^{
		// The other threads reach the slow path while this runs.
		while (atomic_load(&waiting) < 4)
			;
		atomic_fetch_add(&runs, 1);
	});
	CHECK(atomic_load(&runs) >= 1);
	dispatch_once_f(&once_f, &runs, initialize);
	CHECK(atomic_load(&runs) == 2);
}

int main(void)
{
	dispatch_group_t group = dispatch_group_create();
	for (int i = 0; i < 4; i++) {
		dispatch_queue_t queue = dispatch_queue_create("once", NULL);
		dispatch_group_async_f(group, queue, NULL, enter);
	}
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	printf("%d runs\n", runs);
	return 0;
}
