// A source for a signal that the program otherwise ignores.
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("signals", NULL);
	dispatch_semaphore_t seen = dispatch_semaphore_create(0);

	signal(SIGUSR1, SIG_IGN);
	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_SIGNAL, SIGUSR1, 0, queue);
	dispatch_source_set_registration_handler(source, ^{ dispatch_semaphore_signal(seen); });
	dispatch_source_set_event_handler(source, ^{
		CHECK(dispatch_source_get_handle(source) == SIGUSR1);
		dispatch_semaphore_signal(seen);
	});
	dispatch_activate(source);
	dispatch_semaphore_wait(seen, DISPATCH_TIME_FOREVER);
	for (int i = 0; i < 3; i++) {
		kill(getpid(), SIGUSR1);
		dispatch_semaphore_wait(seen, DISPATCH_TIME_FOREVER);
	}
	puts("3 signals");
	dispatch_source_cancel(source);
	dispatch_release(source);
	return 0;
}
