// dispatch_apply with zero, one and many iterations, on no queue, on serial, concurrent and global queues, and nested.
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

static atomic_int runs;

static void function(void *context, size_t index)
{
	CHECK(context == NULL);
	CHECK(index < 100);
	atomic_fetch_add(&runs, 1);
}

static void try_all(dispatch_queue_t queue)
{
	int before = runs;
	dispatch_apply(0, queue, ^(size_t index) { CHECK(index != index); });
	dispatch_apply(1, queue, ^(size_t index) { atomic_fetch_add(&runs, 1 + (int)index); });
	dispatch_apply(100, queue, ^(size_t index) { CHECK(index < 100); atomic_fetch_add(&runs, 1); });
	dispatch_apply_f(100, queue, NULL, function);
	dispatch_apply_f(0, queue, NULL, function);
	// All iterations are over when the call returns.
	CHECK(runs == before + 201);
}

int main(void)
{
	dispatch_queue_t serial = dispatch_queue_create("apply.serial", NULL);
	dispatch_queue_t concurrent = dispatch_queue_create("apply.concurrent", DISPATCH_QUEUE_CONCURRENT);

	try_all(DISPATCH_APPLY_AUTO);
	try_all(serial);
	try_all(concurrent);
	try_all(dispatch_get_global_queue(0, 0));
	// A serial queue runs the iterations in order.
	__block size_t next = 0;
	dispatch_apply(50, serial, ^(size_t index) { CHECK(index == next); next++; });
	// An iteration and an item may call apply.
	dispatch_apply(8, concurrent, ^(size_t outer) {
		(void)outer;
		dispatch_apply(8, dispatch_get_global_queue(0, 0), ^(size_t inner) {
			(void)inner;
			dispatch_apply(2, DISPATCH_APPLY_AUTO, ^(size_t i) { (void)i; atomic_fetch_add(&runs, 1); });
		});
	});
	dispatch_sync(serial, ^{ dispatch_apply(4, concurrent, ^(size_t i) { (void)i; atomic_fetch_add(&runs, 1); }); });
	printf("%d runs\n", runs);
	dispatch_release(concurrent);
	dispatch_release(serial);
	return 0;
}
