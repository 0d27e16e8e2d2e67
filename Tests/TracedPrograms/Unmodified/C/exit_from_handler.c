// Calls exit() in a timer's handler while other threads submit items and wait.
//: ends 9
#include "check.h"
#include <dispatch/dispatch.h>

static void submit(void *context)
{
	dispatch_queue_t queue = context;
	for (;;) {
		dispatch_async(queue, ^{ });
		dispatch_sync(queue, ^{ });
	}
}

static void last_words(void)
{
	puts("at exit");
}

int main(void)
{
	atexit(last_words);
	for (int i = 0; i < 2; i++)
		dispatch_async_f(dispatch_get_global_queue(0, 0), dispatch_queue_create("busy", NULL), submit);
	dispatch_source_t timer =
		dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, dispatch_queue_create("exit", NULL));
	dispatch_source_set_timer(timer, dispatch_time(DISPATCH_TIME_NOW, 5 * NSEC_PER_MSEC), DISPATCH_TIME_FOREVER, 0);
	dispatch_source_set_event_handler(timer, ^{
		puts("timer");
		exit(9);
	});
	dispatch_activate(timer);
	dispatch_main();
}
