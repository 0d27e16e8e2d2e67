// State that guards the starts and stops of sessions.
#ifndef QS_SESSION_CONTROL_H
#define QS_SESSION_CONTROL_H

#include <stdbool.h>

#include "../System/lock.h"

struct qs_session_control {
	struct qs_lock lock;         // guards starts, stops and forks, and qs_identity
	bool has_unfinished_session; // an earlier session's files are not complete: no session can start
};

extern struct qs_session_control qs_session_control;

#endif
