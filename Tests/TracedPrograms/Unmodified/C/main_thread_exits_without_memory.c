// The main thread ends by pthread_exit when no thread can be created. The program ends with its last thread.
//: ends 0
#include "last_thread.h"
#include <dispatch/dispatch.h>
#include <sys/resource.h>

static void exits(void)
{
	puts("exit handler");
}

int main(void)
{
	atexit(exits);
	dispatch_sync(dispatch_queue_create("main", NULL), ^{ puts("main"); });
	start_last_thread();
	struct rlimit limit = {1, 1};
	setrlimit(RLIMIT_AS, &limit);
	pthread_exit(NULL);
}
