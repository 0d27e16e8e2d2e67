// Blocks capture addresses in a library as data, while another thread repeatedly opens and closes the library.
//: plug-in
//: items 20313
//: link -ldl
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdint.h>

enum { TEXT_BYTES = 1 << 20 };

#ifdef PLUG_IN

__asm__(".text\n.globl plug_in_text\nplug_in_text:\n.fill 1048576\n");

#else

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char path[4096];
static uintptr_t text;
static int is_over;

static void *open_and_close(void *context)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		void *library = dlopen(path, RTLD_NOW);
		CHECK(library != NULL);
		__atomic_store_n(&text, (uintptr_t)dlsym(library, "plug_in_text"), __ATOMIC_RELAXED);
		CHECK(dlclose(library) == 0);
	}
	return context;
}

struct sample {
	uintptr_t address, number;
} __attribute__((aligned(16)));

int main(void)
{
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 4);
	CHECK(length > 0);
	strcpy(path + length, ".so");
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, open_and_close, NULL) == 0);
	while (__atomic_load_n(&text, __ATOMIC_RELAXED) == 0) usleep(100);

	__block uintptr_t sum = 0;
	void (^add)(uintptr_t) = ^(uintptr_t number) { sum += number; };
	dispatch_queue_t queue = dispatch_queue_create("samples", NULL);
	for (uintptr_t number = 1; number <= 20000; number++) {
		// This block has copy functions, as a block with a Swift closure has.
		uintptr_t place = __atomic_load_n(&text, __ATOMIC_RELAXED) + number * 7919 % TEXT_BYTES;
		struct sample sample = { place, number };
		dispatch_async(queue, ^{ add(sample.address != 0 ? sample.number : 0); });
		if (number % 64 == 0) dispatch_sync(queue, ^{ });
	}
	dispatch_sync(queue, ^{ CHECK(sum == 20000 * 20001 / 2); });
	__atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	dispatch_release(queue);
	return 0;
}

#endif
