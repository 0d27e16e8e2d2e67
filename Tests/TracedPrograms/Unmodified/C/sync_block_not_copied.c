// A block that does not escape is never copied: a variable shared with it stays on the caller's stack.
#include "check.h"
#include "unlisted.h"

// Copying a block moves its __block variables to the heap, which changes their address.
#define CHECK_NOT_COPIED(call)                      \
	do {                                        \
		__block int shared = 0;             \
		void *before = &shared;             \
		call;                               \
		CHECK(shared > 0);                  \
		CHECK(before == (void *)&shared);   \
	} while (0)

int main(void)
{
	dispatch_queue_t serial = dispatch_queue_create("stack.serial", DISPATCH_QUEUE_SERIAL);
	dispatch_queue_t concurrent = dispatch_queue_create("stack.concurrent", DISPATCH_QUEUE_CONCURRENT);

	CHECK_NOT_COPIED(dispatch_sync(serial, ^{ shared = 1; }));
	CHECK_NOT_COPIED(dispatch_sync(concurrent, ^{ shared = 1; }));
	CHECK_NOT_COPIED(dispatch_barrier_sync(concurrent, ^{ shared = 1; }));
	CHECK_NOT_COPIED(dispatch_async_and_wait(serial, ^{ shared = 1; }));
	CHECK_NOT_COPIED(dispatch_barrier_async_and_wait(concurrent, ^{ shared = 1; }));
	CHECK_NOT_COPIED(dispatch_apply(4, serial, ^(size_t index) { shared = (int)index + 1; }));

	__block int shared = 0;
	void *before = &shared;
	static dispatch_once_t once;
	dispatch_once(&once, ^{ shared = 1; });
	CHECK(shared == 1 && before == (void *)&shared);
	dispatch_block_perform(0, ^{ shared = 2; });
	CHECK(shared == 2);

	puts("no copy");
	dispatch_release(concurrent);
	dispatch_release(serial);
	return 0;
}
