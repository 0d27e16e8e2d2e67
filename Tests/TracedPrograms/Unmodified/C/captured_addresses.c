// Blocks that capture an address in Swift's Dispatch overlay and a number as data: the captures are not a closure.
//: items 8
//: link -ldl
#include "check.h"
#include <dispatch/dispatch.h>
#include <dlfcn.h>
#include <stdint.h>

struct sample {
	uintptr_t address, number;
} __attribute__((aligned(16)));

int main(void)
{
	// Without the overlay, an address in this program is used.
	void *library = dlopen("libswiftDispatch.so", RTLD_NOW);
	void *symbol = library != NULL ? dlsym(library, "$s8Dispatch0A3QoSV11unspecifiedACvgZ") : NULL;
	uintptr_t address = (uintptr_t)(symbol != NULL ? symbol : (void *)main);
	__block uintptr_t sum = 0;
	void (^add)(uintptr_t) = ^(uintptr_t number) { sum += number; };
	dispatch_queue_t queue = dispatch_queue_create("captured.addresses", NULL);
	for (uintptr_t number = 1; number <= 3; number++) {
		dispatch_sync(queue, ^{ CHECK(address != number); });
		// This block has copy functions, as a block with a closure has.
		struct sample sample = { address, number };
		dispatch_async(queue, ^{ add(sample.address != 0 ? sample.number : 0); });
	}
	dispatch_async(queue, ^{ CHECK(address != 1 << 20); });
	dispatch_sync(queue, ^{ CHECK(sum == 6); });
	dispatch_release(queue);
	return 0;
}
