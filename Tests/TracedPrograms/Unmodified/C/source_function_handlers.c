// The context of a source changes between its function handlers: the event handler keeps the context that it was set
// with, and the cancellation handler and the finalizer get the last context.
#include "check.h"
#include "unlisted.h"

static int first, second;
static dispatch_semaphore_t done;

static void registered(void *context)
{
	CHECK(context == &first);
	puts("registered");
}

static void event(void *context)
{
	puts(context == &first ? "first" : context == &second ? "second" : context == NULL ? "none" : "other");
	dispatch_semaphore_signal(done);
}

static void cancelled(void *context)
{
	CHECK(context == &second);
	puts("cancelled");
}

static void finalized(void *context)
{
	CHECK(context == &second);
	puts("finalized");
	dispatch_semaphore_signal(done);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("functions", NULL);
	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_OR, 0, 0, queue);
	done = dispatch_semaphore_create(0);

	dispatch_set_context(source, &first);
	dispatch_set_finalizer_f(source, finalized);
	dispatch_source_set_registration_handler_f(source, registered);
	dispatch_source_set_event_handler_f(source, event);
	dispatch_source_set_cancel_handler_f(source, cancelled);
	dispatch_activate(source);
	dispatch_source_merge_data(source, 1);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);

	dispatch_set_context(source, NULL);
	dispatch_source_merge_data(source, 2);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);

	dispatch_set_context(source, &second);
	CHECK(dispatch_get_context(source) == &second);
	dispatch_source_merge_data(source, 4);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);

	dispatch_source_cancel(source);
	dispatch_release(source);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	dispatch_release(queue);
	return 0;
}
