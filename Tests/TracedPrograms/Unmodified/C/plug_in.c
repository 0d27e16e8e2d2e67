// A library that uses Dispatch, opened at run time, used during its loading, and closed again.
//: plug-in
//: link -ldl
#include "check.h"
#include <dispatch/dispatch.h>

#ifdef PLUG_IN

static int runs;

__attribute__((constructor)) static void constructed(void)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in.constructor", NULL);
	dispatch_sync(queue, ^{ runs++; });
	dispatch_release(queue);
}

int plug_in_run(int count)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in", NULL);
	for (int i = 0; i < count; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	dispatch_release(queue);
	return runs;
}

#else

#include "open_plug_in.h"

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in.host", NULL);

	for (int round = 0; round < 3; round++) {
		__block void *library;
		dispatch_sync(queue, ^{ library = open_plug_in(); });
		int (*run)(int) = (int (*)(int))dlsym(library, "plug_in_run");
		CHECK(run != NULL);
		printf("%d runs\n", run(10));
		dispatch_async(queue, ^{ run(10); });
		dispatch_sync(queue, ^{ });
		CHECK(dlclose(library) == 0);
	}
	return 0;
}

#endif
