#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "CKernel.h"

// Alternate screen, no cursor, no wrapping at the right edge; and back.
static const char enter_text[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave_text[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

// Signals that the caller handles, and signals that end the process at once.
static const int requests[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

// Written by one thread before the handlers are installed. Only `is_entered` and `pending` change afterwards.
static struct {
	struct termios saved;
	int input, output;
	int pipe[2];
	atomic_bool is_entered;
	atomic_int pending; // requests to end that were not read yet
} screen = {.input = -1, .output = -1, .pipe = {-1, -1}};

static void write_all(const char *text, size_t size)
{
	while (size > 0) {
		ssize_t written = write(screen.output, text, size);
		if (written < 0 && errno == EINTR) continue;
		if (written <= 0) return;
		text += written;
		size -= (size_t)written;
	}
}

void qs_screen_leave(void)
{
	int error = errno;
	if (atomic_exchange(&screen.is_entered, false)) {
		write_all(leave_text, sizeof leave_text - 1);
		tcsetattr(screen.input, TCSANOW, &screen.saved);
	}
	errno = error;
}

static void end_with(int number)
{
	qs_screen_leave();
	signal(number, SIG_DFL);
	raise(number);
}

static void on_request(int number)
{
	int error = errno;
	bool is_end = number != SIGWINCH && number != SIGTSTP;
	// The caller did not read the first request: it is busy or stuck.
	if (is_end && atomic_fetch_add(&screen.pending, 1) > 0) {
		end_with(number);
		return;
	}
	unsigned char byte = (unsigned char)number;
	(void)!write(screen.pipe[1], &byte, 1);
	errno = error;
}

static void install(const int *signals, size_t count, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&action.sa_mask);
	for (size_t index = 0; index < count; index++) {
		struct sigaction before;
		// A signal that the parent process ignores, as nohup does, stays ignored.
		if (sigaction(signals[index], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
		sigaction(signals[index], &action, NULL);
	}
}

static bool prepare(int input, int output)
{
	if (screen.pipe[0] >= 0) return true;
	if (pipe2(screen.pipe, O_CLOEXEC | O_NONBLOCK) != 0) return false;
	screen.input = input;
	screen.output = output;
	// A fault can be an overflow of the stack.
	static char stack[64 * 1024];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	sigaltstack(&alternate, NULL);
	atexit(qs_screen_leave);
	install(requests, sizeof requests / sizeof requests[0], on_request, SA_RESTART);
	install(faults, sizeof faults / sizeof faults[0], end_with, SA_ONSTACK);
	return true;
}

bool qs_screen_enter(int input, int output)
{
	if (!prepare(input, output) || tcgetattr(input, &screen.saved) != 0) return false;
	struct termios raw = screen.saved;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(input, TCSANOW, &raw) != 0) return false;
	atomic_store(&screen.is_entered, true);
	write_all(enter_text, sizeof enter_text - 1);
	return true;
}

int qs_screen_signals(void)
{
	return screen.pipe[0];
}

int qs_screen_next_signal(void)
{
	unsigned char number;
	if (read(screen.pipe[0], &number, 1) != 1) return 0;
	if (number != SIGWINCH && number != SIGTSTP) atomic_store(&screen.pending, 0);
	return number;
}
