// SIGPROF every 200 µs of processor time, on any thread, while items are submitted and waited for.
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

static atomic_int ticks;

static void on_tick(int number)
{
	(void)number;
	atomic_fetch_add(&ticks, 1);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_tick, .sa_flags = SA_RESTART };
	CHECK(sigaction(SIGPROF, &action, NULL) == 0);
	struct itimerval interval = { { 0, 200 }, { 0, 200 } };
	CHECK(setitimer(ITIMER_PROF, &interval, NULL) == 0);

	dispatch_queue_t queue = dispatch_queue_create("storm", NULL);
	static long sum;
	while (atomic_load(&ticks) < 20)
		for (int i = 0; i < 100; i++) {
			dispatch_async(queue, ^{ sum += 1; });
			dispatch_sync(queue, ^{ sum -= 1; });
		}
	interval = (struct itimerval){ 0 };
	CHECK(setitimer(ITIMER_PROF, &interval, NULL) == 0);
	dispatch_sync(queue, ^{ });
	printf("sum %ld\n", sum);
	return 0;
}
