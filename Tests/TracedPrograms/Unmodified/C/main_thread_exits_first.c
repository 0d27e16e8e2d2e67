// The main thread ends by pthread_exit with buffered output. The program ends with its last thread.
//: ends 0
#include "last_thread.h"
#include <dispatch/dispatch.h>

static void exits(void)
{
	dispatch_sync(dispatch_queue_create("exit", NULL), ^{ puts("exit handler"); });
}

int main(void)
{
	atexit(exits);
	start_last_thread();
	dispatch_sync(dispatch_queue_create("main", NULL), ^{ puts("main"); });
	pthread_exit(NULL);
}
