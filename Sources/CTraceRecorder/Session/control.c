#define _GNU_SOURCE
#include "control.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../Drain/trace_files.h"
#include "../Events/ids.h"
#include "../Events/recorder.h"
#include "../Gate/thread_guard.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "../System/system_calls.h"
#include "../System/system_clock.h"
#include "CTraceRecorder.h"
#include "control_requests.h"
#include "control_socket.h"
#include "fork_handlers.h"
#include "main_thread_end.h"
#include "service.h"
#include "session.h"
#include "session_snapshot.h"

static const int64_t MILLISECOND = 1000 * 1000;

enum {
	CLIENTS = 8,
	// A client that sends no request within this time is disconnected.
	PATIENCE_MS = 5000,
	// Longest wait of a thread that opens or closes the socket.
	OPEN_TIMEOUT_MS = 500,
	CLOSE_TIMEOUT_MS = 1000,
	// Interval of the checks for a main thread that ended without its destructors. The kernel does not report the end
	// of a main thread while other threads exist: since Linux 6.15 not even to a pidfd of the thread.
	MAIN_CHECK_MS = 30 * 1000,
};

enum state { CLOSED, OPENING, OPEN, CLOSING, ENDED };

struct client {
	int file;         // -1: none
	int64_t due_ns;   // time at which it is disconnected
	uint32_t session; // that ends with the connection, 0: none
};

static struct {
	pthread_t thread;
	uint32_t state;     // atomic, futex: enum state
	uint32_t pid;       // atomic: the process of the thread
	bool is_closing;    // atomic
	int error;          // errno of a failed opening; valid after OPENING
	// Only for the control thread:
	int listener;
	struct client clients[CLIENTS];
	uint32_t session;   // that ends at this time
	int64_t session_end_ns;
	int64_t main_check_ns;
} control;

static enum state state_now(void)
{
	return (enum state)__atomic_load_n(&control.state, __ATOMIC_ACQUIRE);
}

static bool change_state(enum state from, enum state to)
{
	uint32_t expected = from;
	return __atomic_compare_exchange_n(&control.state, &expected, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Wakes the thread that waits for the state, if one may.
static void announce(enum state state)
{
	enum state former = (enum state)__atomic_exchange_n(&control.state, state, __ATOMIC_ACQ_REL);
	if (former == OPENING || former == CLOSING) qs_futex_wake_all(&control.state);
}

// Waits until the state is another one. Returns false after a timeout.
static bool wait_while(enum state state, long milliseconds)
{
	int64_t end = qs_clock_system(CLOCK_MONOTONIC) + milliseconds * MILLISECOND;
	while (state_now() == state && qs_clock_system(CLOCK_MONOTONIC) < end) {
		qs_futex_wait(&control.state, state, end);
	}
	return state_now() != state;
}

// MARK: Clients

static void disconnect(struct client *client)
{
	close(client->file);
	client->file = -1;
	qs_control_stop(client->session);
	client->session = 0;
}

// A place for a new client: the silent client that waits longest is disconnected.
static struct client *make_place(void)
{
	struct client *place = NULL;
	for (int index = 0; index < CLIENTS; index++) {
		struct client *client = &control.clients[index];
		if (client->file < 0) return client;
		if (place == NULL || client->due_ns < place->due_ns) place = client;
	}
	disconnect(place);
	return place;
}

// Returns false when the socket cannot be used any more.
static bool accept_client(int64_t now)
{
	int file = qs_control_socket_accept(control.listener, qs_control_refuse);
	if (file < 0) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED || errno == EPERM;
	*make_place() = (struct client){.file = file, .due_ns = now + PATIENCE_MS * MILLISECOND};
	return true;
}

// Connections that were to stop a session that has ended.
static void disconnect_from_past_sessions(void)
{
	for (int index = 0; index < CLIENTS; index++) {
		struct client *client = &control.clients[index];
		if (client->file >= 0 && client->session != 0 && client->session != qs_session_number()) disconnect(client);
	}
}

static void serve_client(struct client *client)
{
	static char request[QS_REQUEST_BYTES];
	static struct qs_control_answer answer;
	ssize_t length = recv(client->file, request, sizeof request, MSG_DONTWAIT | MSG_TRUNC);
	if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (length <= 0) {
		disconnect(client);
		return;
	}
	bool is_whole = (size_t)length <= sizeof request;
	qs_control_execute(request, is_whole ? (size_t)length : 0, &answer);
	if (answer.started != 0 && answer.for_ns != 0) {
		control.session = answer.started;
		control.session_end_ns = qs_clock_system(CLOCK_MONOTONIC) + answer.for_ns;
	}
	send(client->file, answer.text, answer.length, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (answer.started != 0 && answer.is_attached) {
		client->session = answer.started;
		client->due_ns = INT64_MAX;
	} else if (client->session == 0) {
		disconnect(client);
	}
	disconnect_from_past_sessions();
}

// MARK: The thread

static bool has_main_thread_ended(int64_t now)
{
	if (now < control.main_check_ns) return false;
	control.main_check_ns = now + MAIN_CHECK_MS * MILLISECOND;
	return qs_main_thread_is_zombie();
}

static int64_t earliest_time(void)
{
	int64_t due = control.main_check_ns;
	if (control.session_end_ns < due) due = control.session_end_ns;
	for (int index = 0; index < CLIENTS; index++) {
		const struct client *client = &control.clients[index];
		if (client->file >= 0 && client->due_ns < due) due = client->due_ns;
	}
	return due;
}

// The files to wait for: the listener and the clients. A negative descriptor is ignored.
enum { LISTENER, FIRST_CLIENT, FILES = FIRST_CLIENT + CLIENTS };

// Returns false when the system refuses to wait.
static bool wait_for_files(struct pollfd *files)
{
	files[LISTENER] = (struct pollfd){.fd = control.listener, .events = POLLIN};
	for (int index = 0; index < CLIENTS; index++) {
		files[FIRST_CLIENT + index] = (struct pollfd){.fd = control.clients[index].file, .events = POLLIN};
	}
	int64_t rest = earliest_time() - qs_clock_system(CLOCK_MONOTONIC);
	if (rest < 0) rest = 0;
	struct timespec limit = {.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
	// Not by the function of the C library, which is hooked.
	return syscall(SYS_ppoll, files, FILES, &limit, NULL, 0) >= 0 || errno == EINTR;
}

static void serve_clients(const struct pollfd *files)
{
	int64_t now = qs_clock_system(CLOCK_MONOTONIC);
	for (int index = 0; index < CLIENTS; index++) {
		struct client *client = &control.clients[index];
		if (client->file < 0) continue;
		if (files[FIRST_CLIENT + index].revents != 0) serve_client(client);
		else if (now >= client->due_ns) disconnect(client);
	}
}

static void end_session_in_time(void)
{
	if (qs_clock_system(CLOCK_MONOTONIC) < control.session_end_ns) return;
	control.session_end_ns = INT64_MAX;
	qs_control_stop(control.session);
	disconnect_from_past_sessions();
}

// Serves the socket until it is closed. Returns whether the main thread has ended.
static bool serve_socket(void)
{
	// A signal may have come before the socket.
	qs_snapshot_signal_serve();
	for (;;) {
		struct pollfd files[FILES];
		bool can_wait = wait_for_files(files);
		// After this flag no system call is made: a filter may kill for it.
		if (__atomic_load_n(&control.is_closing, __ATOMIC_ACQUIRE) || !can_wait) return false;
		if (has_main_thread_ended(qs_clock_system(CLOCK_MONOTONIC))) return true;
		qs_snapshot_signal_serve();
		serve_clients(files);
		end_session_in_time();
		bool is_called = files[LISTENER].revents != 0;
		if (is_called && !accept_client(qs_clock_system(CLOCK_MONOTONIC))) return false;
	}
}

static void *serve(void *unused)
{
	prctl(PR_SET_NAME, QS_RECORDER_NAME);
	qs_thread_inside = true; // records no events of its own
	qs_recorder_set_control_thread(qs_current_tid());
	errno = ENOSYS;
	control.listener = qs_trace_files_leave_program() ? qs_control_socket_open() : -1;
	control.error = errno;
	if (control.listener < 0) {
		qs_recorder_set_control_thread(0);
		announce(ENDED);
		return unused;
	}
	control.error = 0;
	control.main_check_ns = qs_clock_system(CLOCK_MONOTONIC) + MAIN_CHECK_MS * MILLISECOND;
	announce(OPEN);
	bool has_main_ended = serve_socket();
	// The descriptors end with the descriptor table of this thread.
	if (has_main_ended && !qs_recorder_is_running() && qs_main_thread_was_last()) qs_main_thread_leave_status();
	qs_recorder_set_control_thread(0);
	announce(ENDED);
	return unused;
}

// MARK: Calls from other threads

static bool is_of_this_process(void)
{
	return __atomic_load_n(&control.pid, __ATOMIC_RELAXED) == (uint32_t)getpid();
}

// In a child of fork, or of _Fork when it opens its own socket.
static void forget(void)
{
	memset(&control, 0, sizeof control);
	qs_snapshot_signal_forget();
}

int qs_control_open(void)
{
	int saved_errno = errno;
	// A child of _Fork has a copy of its parent's state.
	if (!is_of_this_process()) forget();
	if (change_state(ENDED, CLOSING)) {
		pthread_join(control.thread, NULL);
		announce(CLOSED);
	}
	if (!change_state(CLOSED, OPENING)) return state_now() == OPEN ? 0 : EBUSY;
	qs_process_hear_of_forks();
	qs_process_call_in_child(forget);
	qs_main_thread_call_at_end(qs_control_close);
	__atomic_store_n(&control.pid, (uint32_t)getpid(), __ATOMIC_RELAXED);
	__atomic_store_n(&control.is_closing, false, __ATOMIC_RELAXED);
	control.session_end_ns = INT64_MAX;
	for (int index = 0; index < CLIENTS; index++) control.clients[index] = (struct client){.file = -1};
	int error = 0;
	if (!qs_recorder_thread_start(&control.thread, QS_SMALL_STACK, serve, NULL)) {
		error = EAGAIN;
		announce(CLOSED);
	} else if (!wait_while(OPENING, OPEN_TIMEOUT_MS)) {
		error = ETIMEDOUT;
	} else {
		error = control.error;
		qs_main_thread_prepare_end();
	}
	errno = saved_errno;
	return error;
}

void qs_control_close(void)
{
	if (!is_of_this_process() || qs_recorder_is_control_thread(qs_current_tid())) return;
	if (!change_state(OPEN, CLOSING)) return;
	int saved_errno = errno;
	__atomic_store_n(&control.is_closing, true, __ATOMIC_RELEASE);
	qs_control_socket_wake();
	// A client's start or stop of a session may take longer. The thread then ends after it.
	if (wait_while(CLOSING, CLOSE_TIMEOUT_MS) && change_state(ENDED, CLOSING)) {
		pthread_join(control.thread, NULL);
		announce(CLOSED);
	}
	errno = saved_errno;
}

void qs_control_abandon(void)
{
	__atomic_store_n(&control.is_closing, true, __ATOMIC_RELEASE);
}

// MARK: The environment

enum qs_control_wish qs_control_read_wish(void)
{
	const char *text = secure_getenv("QUEUESCOPE_CONTROL");
	if (text == NULL || text[0] == 0) return QS_CONTROL_UNSET;
	if (strcmp(text, "0") == 0) return QS_CONTROL_OFF;
	if (strcmp(text, "1") == 0) return QS_CONTROL_ON;
	if (strcmp(text, "dormant") == 0) return QS_CONTROL_DORMANT;
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: QUEUESCOPE_CONTROL is %s; it should be 0, 1 or dormant. It is ignored.\n", text);
	}
	is_told = true;
	return QS_CONTROL_UNSET;
}

void qs_control_open_as_wished(enum qs_control_wish wish, bool is_needed)
{
	bool is_wanted = is_needed;
#ifdef QS_FRONT_END_PRELOAD
	is_wanted = true;
#endif
	if (wish != QS_CONTROL_UNSET) is_wanted = wish != QS_CONTROL_OFF;
	// A program that gained rights at its start must not be controlled by the user who started it.
	if (is_wanted && getauxval(AT_SECURE) == 0) qs_control_open();
}
