// Semaphores: counts, timeouts, the result that shows whether a waiter was woken, and an invalid initial value.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	CHECK(dispatch_semaphore_create(-1) == NULL);

	dispatch_semaphore_t semaphore = dispatch_semaphore_create(2);
	CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) == 0);
	CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER) == 0);
	CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0);
	CHECK(dispatch_semaphore_wait(semaphore, dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC)) != 0);
	CHECK(dispatch_semaphore_wait(semaphore, dispatch_walltime(NULL, NSEC_PER_MSEC)) != 0);
	CHECK(dispatch_semaphore_wait(semaphore, dispatch_time(DISPATCH_TIME_NOW, -1)) != 0);
	// Returns 0 because no thread waits.
	CHECK(dispatch_semaphore_signal(semaphore) == 0);
	CHECK(dispatch_semaphore_signal(semaphore) == 0);

	dispatch_semaphore_t ping = dispatch_semaphore_create(0);
	dispatch_semaphore_t pong = dispatch_semaphore_create(0);
	__block int turns = 0;
	dispatch_async(dispatch_get_global_queue(0, 0), ^{
		for (int i = 0; i < 500; i++) {
			dispatch_semaphore_wait(ping, DISPATCH_TIME_FOREVER);
			turns++;
			dispatch_semaphore_signal(pong);
		}
	});
	for (int i = 0; i < 500; i++) {
		dispatch_semaphore_signal(ping);
		dispatch_semaphore_wait(pong, DISPATCH_TIME_FOREVER);
		CHECK(turns == i + 1);
	}
	printf("%d turns\n", turns);
	dispatch_release(semaphore);
	return 0;
}
