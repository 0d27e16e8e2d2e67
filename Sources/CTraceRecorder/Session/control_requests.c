#define _GNU_SOURCE
#include "control_requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../Events/clock.h"
#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/item_sampling.h"
#include "../Gate/thread_guard.h"
#include "../Observers/recording_budget.h"
#include "CTraceRecorder.h"
#include "service.h"
#include "session.h"
#include "session_control.h"
#include "session_snapshot.h"

enum { FLUSH_MS = 5000 };

static const int64_t MILLISECOND = 1000 * 1000;

static struct {
	bool has_pattern;
	char pattern[PATH_MAX];
	struct qs_session_options options;
} defaults;

void qs_control_set_defaults(const char *pattern, const struct qs_session_options *options)
{
	defaults.has_pattern = pattern != NULL && strlen(pattern) < sizeof defaults.pattern;
	if (defaults.has_pattern) strcpy(defaults.pattern, pattern);
	defaults.options = *options;
}

// MARK: Answers

static void add_word(struct qs_control_answer *answer, const char *key, const char *value)
{
	size_t room = sizeof answer->text - answer->length;
	int length = snprintf(answer->text + answer->length, room, "%s%s%s", key, value[0] != 0 ? "=" : "", value);
	if (length >= 0 && (size_t)length < room) answer->length += (size_t)length + 1;
}

static void add_number(struct qs_control_answer *answer, const char *key, uint64_t number)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
	add_word(answer, key, digits);
}

static void begin(struct qs_control_answer *answer, const char *result)
{
	*answer = (struct qs_control_answer){.length = 0};
	add_word(answer, "queuescope", "");
	char version[16];
	snprintf(version, sizeof version, "%d", QS_CONTROL_VERSION);
	add_word(answer, version, "");
	add_word(answer, result, "");
}

static void fail(struct qs_control_answer *answer, const char *code, const char *detail)
{
	begin(answer, "error");
	add_word(answer, "code", code);
	if (detail[0] != 0) add_word(answer, "detail", detail);
}

void qs_control_refuse(int file)
{
	static struct qs_control_answer answer;
	fail(&answer, "refused", "");
	send(file, answer.text, answer.length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static const char *snapshot_code_of(int result)
{
	switch (result) {
	case QS_SNAPSHOT_NOT_RECORDING: return "not-recording";
	case QS_SNAPSHOT_LTTNG: return "lttng";
	case QS_SNAPSHOT_TIMEOUT: return "timeout";
	case QS_SNAPSHOT_EXISTS: return "exists";
	case QS_SNAPSHOT_CANNOT_READ: return "cannot-read";
	case QS_SNAPSHOT_PATH_TOO_LONG: return "path-too-long";
	case QS_SNAPSHOT_BAD_PATTERN: return "bad-pattern";
	default: return "cannot-create";
	}
}

static void add_session(struct qs_control_answer *answer)
{
	if (qs_identity.lttng != NULL) {
		add_word(answer, "destination", "lttng");
		return;
	}
	add_word(answer, "destination", "files");
	add_word(answer, "trace", qs_identity.directory);
	add_word(answer, "mode", qs_identity.is_flight ? "flight" : "stream");
	if (!qs_identity.is_joined) add_number(answer, "since_ns", (uint64_t)qs_identity.started.realtime_ns);
}

static void add_last_snapshot(struct qs_control_answer *answer)
{
	struct qs_signal_snapshot last = qs_snapshot_signal_last();
	if (last.result < 0) return;
	add_word(answer, "snapshot", last.directory);
	if (last.result == QS_SNAPSHOT_OK) return;
	add_word(answer, "snapshot_error", snapshot_code_of(last.result));
	add_number(answer, "snapshot_errno", (uint64_t)last.system_error);
}

static void add_state(struct qs_control_answer *answer)
{
	bool has_lock = qs_lock_take_patiently(&qs_session_control.lock);
	bool is_recording = qs_is_recording();
	add_word(answer, "state", is_recording ? "recording" : "dormant");
	add_number(answer, "pid", (uint64_t)getpid());
	add_word(answer, "program", program_invocation_short_name);
#ifdef QS_FRONT_END_PRELOAD
	add_word(answer, "recorder", "preloaded");
#else
	add_word(answer, "recorder", "linked");
#endif
	if (defaults.has_pattern) add_word(answer, "default", defaults.pattern);
	if (is_recording) {
		add_session(answer);
		add_number(answer, "discarded", qs_session_discarded());
	}
	if (has_lock) qs_lock_give_back(&qs_session_control.lock);
	add_last_snapshot(answer);
}

// MARK: Requests

struct start_request {
	const char *trace;
	const char *fallback;
	struct qs_session_options options;
	bool has_kept;
	uint64_t for_ms;
	uint64_t is_attached;
};

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
	char *end = NULL;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && *number <= most;
}

// Returns the value if the word has this key, otherwise NULL.
static const char *value_of(const char *word, const char *key)
{
	size_t length = strlen(key);
	return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool parse_path(const char *value, const char **path)
{
	*path = value;
	return value[0] == '/' && strlen(value) < PATH_MAX;
}

// Parses an option of `start`. Returns the code of an error, NULL for none.
static const char *parse_option(const char *word, struct start_request *request)
{
	static const uint64_t longest_ms = (uint64_t)1000 * 3600 * 24 * 365;
	struct qs_session_options *options = &request->options;
	const char *value;
	uint64_t number = 0;
	bool is_valid;
	if ((value = value_of(word, "trace")) != NULL) {
		is_valid = parse_path(value, &request->trace);
	} else if ((value = value_of(word, "fallback")) != NULL) {
		is_valid = parse_path(value, &request->fallback);
	} else if ((value = value_of(word, "mode")) != NULL) {
		options->is_flight = strcmp(value, "flight") == 0;
		is_valid = options->is_flight || strcmp(value, "stream") == 0;
	} else if ((value = value_of(word, "limit")) != NULL) {
		is_valid = parse_number(value, INT64_MAX, &options->limit);
	} else if ((value = value_of(word, "memory")) != NULL) {
		is_valid = parse_number(value, INT64_MAX, &options->memory);
	} else if ((value = value_of(word, "window_ns")) != NULL) {
		is_valid = parse_number(value, INT64_MAX, &options->window_ns);
		options->limit = 0; // the default of the process
	} else if ((value = value_of(word, "kept_traces")) != NULL) {
		is_valid = parse_number(value, UINT32_MAX, &number);
		options->kept_traces = (uint32_t)number;
		options->kept_bytes = 0;
		request->has_kept = true;
	} else if ((value = value_of(word, "kept_bytes")) != NULL) {
		is_valid = parse_number(value, INT64_MAX, &options->kept_bytes);
		options->kept_traces = 0;
		request->has_kept = true;
	} else if ((value = value_of(word, "processors")) != NULL) {
		is_valid = parse_number(value, 1, &number);
		options->without_processors = number == 0;
	} else if ((value = value_of(word, "budget_ppm")) != NULL) {
		is_valid = parse_number(value, QS_BUDGET_WHOLE, &number);
		options->budget_ppm = (uint32_t)number;
		options->item_stride = 0;
	} else if ((value = value_of(word, "item_stride")) != NULL) {
		is_valid = parse_number(value, QS_MOST_ITEM_STRIDE, &number) && (number & (number - 1)) == 0;
		options->item_stride = (uint32_t)number;
		options->budget_ppm = 0;
	} else if ((value = value_of(word, "for_ms")) != NULL) {
		is_valid = parse_number(value, longest_ms, &request->for_ms);
	} else if ((value = value_of(word, "attached")) != NULL) {
		is_valid = parse_number(value, 1, &request->is_attached);
	} else {
		return "unknown-option";
	}
	return is_valid ? NULL : "invalid-option";
}

static const char *code_of(int result)
{
	switch (result) {
	case QS_SESSION_ACTIVE: return "active";
	case QS_SESSION_EXISTS: return "exists";
	case QS_SESSION_NO_MEMORY: return "no-memory";
	case QS_SESSION_PATH_TOO_LONG: return "path-too-long";
	case QS_SESSION_NO_THREAD: return "no-thread";
	case QS_SESSION_BAD_PATTERN: return "bad-pattern";
	default: return "cannot-create";
	}
}

static void start(const struct start_request *request, struct qs_control_answer *answer)
{
	struct qs_session_options options = request->options;
	const char *pattern = request->trace;
	if (pattern == NULL && defaults.has_pattern) {
		pattern = defaults.pattern;
	} else {
		if (pattern == NULL) pattern = request->fallback;
		// The default limit of older traces is for the default pattern.
		if (!request->has_kept) options.kept_traces = 0, options.kept_bytes = 0;
	}
	if (pattern == NULL) {
		fail(answer, "no-trace", "");
		return;
	}
	int system_error = 0;
	qs_thread_inside = false; // the start writes definitions on this thread
	int result = qs_session_start(pattern, &options, &system_error);
	qs_thread_inside = true;
	if (result != QS_SESSION_OK) {
		fail(answer, code_of(result), "");
		add_word(answer, "requested", pattern);
		add_number(answer, "errno", (uint64_t)system_error);
		if (result == QS_SESSION_ACTIVE) add_state(answer);
		return;
	}
	begin(answer, "ok");
	add_state(answer);
	answer->started = qs_session_number();
	answer->is_attached = request->is_attached != 0;
	answer->for_ns = (int64_t)request->for_ms * MILLISECOND;
}

static void stop(struct qs_control_answer *answer)
{
	static struct qs_stopped_session stopped;
	if (qs_is_recording() && qs_identity.lttng != NULL) {
		fail(answer, "lttng", "");
		return;
	}
	qs_thread_inside = false; // the stop is recorded
	bool is_stopped = qs_session_stop_and_tell(&stopped);
	qs_thread_inside = true;
	if (!is_stopped) {
		fail(answer, "not-recording", "");
		return;
	}
	begin(answer, "ok");
	add_word(answer, "trace", stopped.directory);
	add_number(answer, "discarded", stopped.discarded);
}

void qs_control_stop(uint32_t session)
{
	static struct qs_control_answer answer;
	if (session != 0 && qs_session_number() == session) stop(&answer);
}

static void flush(struct qs_control_answer *answer)
{
	uint64_t end_time = qs_clock_now();
	if (!qs_is_recording()) fail(answer, "not-recording", "");
	else if (qs_identity.lttng != NULL) fail(answer, "lttng", "");
	else if (!qs_service_flush(false, FLUSH_MS)) fail(answer, "timeout", "");
	else begin(answer, "ok"), add_state(answer), add_number(answer, "end", end_time);
}

void qs_control_execute(const char *request, size_t length, struct qs_control_answer *answer)
{
	enum { MAGIC, VERSION, COMMAND, WORDS };
	const char *words[WORDS] = {"", "", ""};
	struct start_request options = {.options = defaults.options};
	const char *error = length == 0 || request[length - 1] != 0 ? "not-a-request" : NULL, *wrong = "";
	size_t count = 0;
	for (const char *word = request; error == NULL && word < request + length; word += strlen(word) + 1, count++) {
		if (count < WORDS) {
			words[count] = word;
		} else {
			error = strcmp(words[COMMAND], "start") == 0 ? parse_option(word, &options) : "unknown-option";
			wrong = word;
		}
	}
	const char *command = words[COMMAND];
	char version[16];
	snprintf(version, sizeof version, "%d", QS_CONTROL_VERSION);
	if (strcmp(words[MAGIC], "queuescope") != 0) fail(answer, "not-a-request", "");
	else if (strcmp(words[VERSION], version) != 0) fail(answer, "version", version);
	else if (error != NULL) fail(answer, error, wrong);
	else if (strcmp(command, "status") == 0) begin(answer, "ok"), add_state(answer);
	else if (strcmp(command, "start") == 0) start(&options, answer);
	else if (strcmp(command, "stop") == 0) stop(answer);
	else if (strcmp(command, "flush") == 0) flush(answer);
	else fail(answer, "unknown-command", command);
}
