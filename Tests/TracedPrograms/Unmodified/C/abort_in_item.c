// abort() in an item.
//: ends SIGABRT
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_async(dispatch_get_global_queue(0, 0), ^{
		fputs("going down\n", stderr);
		abort();
	});
	dispatch_main();
}
