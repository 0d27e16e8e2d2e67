// A library loads libdispatch, uses it during loading, and is closed at once, which unloads both. Repeated.
//: without libdispatch
//: plug-in
//: link -ldl
#include "check.h"

#ifdef PLUG_IN

#include <dispatch/dispatch.h>

static void run(void *context)
{
	++*(int *)context;
}

__attribute__((constructor)) static void constructed(void)
{
	int runs = 0;
	dispatch_queue_t queue = dispatch_queue_create("plug-in.constructor", NULL);
	dispatch_sync_f(queue, &runs, run);
	dispatch_release(queue);
	CHECK(runs == 1);
}

void plug_in_text(void)
{
}

#else

#include "open_plug_in.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	for (int round = 0; round < 20; round++) {
		void *library = open_plug_in();
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		char *text = dlsym(library, "plug_in_text");
		CHECK(text != NULL);
		CHECK(dlclose(library) == 0);
		// The libraries cannot be loaded at this address again.
		void *place = text - (uintptr_t)text % page;
		CHECK(mmap(place, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	}
	puts("closed");
	return 0;
}

#endif
