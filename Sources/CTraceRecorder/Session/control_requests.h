// Requests to the control socket, and their answers.
//
// A request is one message of SOCK_SEQPACKET: words that each end with a NUL. The answer is one message, too:
//
//	queuescope 1 start trace=/traces/%n-%t mode=flight limit=1048576
//	queuescope 1 ok state=recording pid=4711 trace=/traces/news-20261128T094100.250Z mode=flight …
//	queuescope 1 error code=exists trace=/traces/news errno=17
//
//	status             the state of the process, and the last snapshot that a signal requested
//	start [KEY=VALUE…] trace, fallback (used if the process has no default), mode (stream, flight), limit, memory,
//	                   kept_traces, kept_bytes, processors (0, 1), budget_ppm, item_stride (a power of two),
//	                   for_ms (stops the session after this time), attached (1: the session stops when this connection
//	                   is closed)
//	stop               stops the session; the answer has its trace and the number of discarded events
//	flush              copies the events so far into the files of the trace; the answer has the time of the request in
//	                   ticks, `end`: up to this time the files are complete
//
// The command has the same protocol (Sources/QueuescopeCommand/Control/ControlMessage.swift).
#ifndef QS_CONTROL_REQUESTS_H
#define QS_CONTROL_REQUESTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qs_session_options;

enum {
	QS_CONTROL_VERSION = 1,
	QS_REQUEST_BYTES = 3 * PATH_MAX,
	QS_ANSWER_BYTES = 3 * PATH_MAX,
};

struct qs_control_answer {
	size_t length;
	char text[QS_ANSWER_BYTES];
	// The session that the request has started, 0: none.
	uint32_t started;
	bool is_attached;
	int64_t for_ns; // time after which it ends; 0: no limit
};

// Executes a request. Blocks: up to 10 s, for the start or the stop of a session. Context: the control thread.
void qs_control_execute(const char *request, size_t length, struct qs_control_answer *answer);

// Answers a peer that may not control this process.
void qs_control_refuse(int file);

// Stops the session with this number, if it records.
void qs_control_stop(uint32_t session);

// Sets the values for requests that do not have them: the pattern of the trace, NULL for none, and the options.
// Context: before the control thread starts.
void qs_control_set_defaults(const char *pattern, const struct qs_session_options *options);

#endif
