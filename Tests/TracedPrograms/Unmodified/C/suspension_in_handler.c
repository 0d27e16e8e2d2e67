// A signal handler suspends a queue while the interrupted thread suspends another one. Events of the handler are
// discarded if it interrupted an event.
//: discards
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <sys/time.h>

static dispatch_queue_t others;
static volatile int handled;

static void handle(int number)
{
	(void)number;
	dispatch_suspend(others);
	dispatch_resume(others);
	handled++;
}

int main(void)
{
	dispatch_queue_t own = dispatch_queue_create("own", NULL);
	others = dispatch_queue_create("others", NULL);
	struct sigaction action = {.sa_handler = handle};
	sigaction(SIGALRM, &action, NULL);
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 200) {
		dispatch_suspend(own);
		dispatch_resume(own);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	return 0;
}
