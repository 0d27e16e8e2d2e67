// The main thread ends by pthread_exit. An item ends the program.
//: ends 6
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("last", NULL);
	pthread_t main_thread = pthread_self();

	dispatch_async(queue, ^{
		CHECK(pthread_join(main_thread, NULL) == 0);
		puts("alone");
		exit(6);
	});
	pthread_exit(NULL);
}
