// NULL for every parameter that allows it.
#include "check.h"
#include <dispatch/dispatch.h>
#include <string.h>

int main(void)
{
	dispatch_queue_t unnamed = dispatch_queue_create(NULL, NULL);
	CHECK(strlen(dispatch_queue_get_label(unnamed)) == 0);
	dispatch_queue_t targeted = dispatch_queue_create_with_target(NULL, NULL, NULL);
	dispatch_queue_t inactive =
		dispatch_queue_create("null", dispatch_queue_attr_make_initially_inactive(NULL));
	dispatch_set_target_queue(inactive, NULL);
	dispatch_activate(inactive);
	dispatch_sync(unnamed, ^{ printf("[%s]\n", dispatch_queue_get_label(NULL)); });
	dispatch_sync(inactive, ^{ printf("[%s]\n", dispatch_queue_get_label(NULL)); });
	dispatch_sync(targeted, ^{ printf("[%s]\n", dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL)); });
	printf("[%s]\n", dispatch_queue_get_label(dispatch_get_main_queue()));

	dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, NULL);
	dispatch_source_set_event_handler(timer, NULL);
	dispatch_source_set_cancel_handler(timer, NULL);
	dispatch_source_set_registration_handler(timer, NULL);
	dispatch_source_set_event_handler_f(timer, NULL);
	dispatch_source_set_cancel_handler_f(timer, NULL);
	dispatch_activate(timer);
	dispatch_source_cancel(timer);
	dispatch_release(timer);

	dispatch_set_context(unnamed, NULL);
	dispatch_set_finalizer_f(unnamed, NULL);
	CHECK(dispatch_get_context(unnamed) == NULL);
	dispatch_apply(2, NULL, ^(size_t index) { (void)index; });
	dispatch_release(unnamed);
	dispatch_release(targeted);
	dispatch_release(inactive);
	return 0;
}
