// Waiting for a block object that ran twice is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_block_t item = dispatch_block_create(0, ^{ puts("run"); fflush(stdout); });
	item();
	item();
	dispatch_block_wait(item, DISPATCH_TIME_FOREVER);
	puts("not reached");
	return 0;
}
