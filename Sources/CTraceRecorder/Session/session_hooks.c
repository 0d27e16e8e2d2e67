#include "session_hooks.h"

#include <stddef.h>

static const struct qs_session_hooks *own_hooks;

void qs_set_session_hooks(const struct qs_session_hooks *hooks)
{
	own_hooks = hooks;
}

bool qs_is_interposed(void)
{
	return own_hooks != NULL;
}

void qs_session_hooks_begin(void)
{
	if (own_hooks != NULL) own_hooks->begin();
}

void qs_session_hooks_end(void)
{
	if (own_hooks != NULL) own_hooks->end();
}
