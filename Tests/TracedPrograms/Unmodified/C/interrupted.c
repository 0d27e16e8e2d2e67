// The program has a SIGINT handler, which interrupts blocking calls as without recording.
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals = signals + 1;
}

int main(void)
{
	// Without SA_RESTART.
	struct sigaction action = { .sa_handler = on_signal };
	CHECK(sigaction(SIGINT, &action, NULL) == 0);
	int ends[2];
	CHECK(pipe(ends) == 0);
	pthread_t main_thread = pthread_self();
	int writer = ends[1];
	static volatile sig_atomic_t interrupted;

	dispatch_async(dispatch_get_global_queue(0, 0), ^{
		// Repeats until the main thread has returned from read: the first signal may come before the call.
		while (!interrupted) {
			pthread_kill(main_thread, SIGINT);
			usleep(200);
		}
		CHECK(write(writer, "x", 1) == 1);
	});
	char byte;
	errno = 0;
	CHECK(read(ends[0], &byte, 1) == -1 && errno == EINTR);
	interrupted = 1;
	while (read(ends[0], &byte, 1) != 1)
		CHECK(errno == EINTR);
	CHECK(signals > 0);
	printf("interrupted, then read %c\n", byte);
	return 0;
}
