// A timer on a queue whose target may still change.
//: finds delayed-registration mutable-target
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("misuse.old", NULL);
	dispatch_semaphore_t fired = dispatch_semaphore_create(0);
	dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, queue);
	dispatch_source_set_timer(timer, dispatch_time(DISPATCH_TIME_NOW, 1000000), DISPATCH_TIME_FOREVER, 0);
	dispatch_source_set_event_handler(timer, ^{ dispatch_semaphore_signal(fired); });
	dispatch_activate(timer);
	dispatch_semaphore_wait(fired, DISPATCH_TIME_FOREVER);
	return 0;
}
