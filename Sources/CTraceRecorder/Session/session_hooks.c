#include "session_hooks.h"

#include <stddef.h>

#include "../Events/recorder.h"

static const struct qs_session_hooks *own_hooks;

void qs_set_session_hooks(const struct qs_session_hooks *hooks)
{
	own_hooks = hooks;
}

bool qs_is_interposed(void)
{
	return own_hooks != NULL;
}

void qs_session_hooks_wake(void)
{
	if (qs_recorder_is_running()) qs_recorder_wake();
}

void qs_session_hooks_begin(void)
{
	if (own_hooks != NULL) own_hooks->begin();
}

void qs_session_hooks_install(void)
{
	if (own_hooks != NULL && own_hooks->install != NULL) own_hooks->install();
}

int64_t qs_session_hooks_tick(int64_t now_ns)
{
	return own_hooks != NULL && own_hooks->tick != NULL ? own_hooks->tick(now_ns) : INT64_MAX;
}

void qs_session_hooks_end(void)
{
	if (own_hooks != NULL) own_hooks->end();
}
