// The preloaded front end: starts recording where libdispatch is, and takes itself out of LD_PRELOAD, so that the program and those that it starts see what they
// would see without.
#ifdef QS_FRONT_END_PRELOAD

#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../CTraceRecorder/environment.h"

// Takes this object out of the list, in place: the list only gets shorter.
static void leave_preload_list(void)
{
	char *list = getenv("LD_PRELOAD");
	Dl_info own;
	if (list == NULL || dladdr((void *)leave_preload_list, &own) == 0 || own.dli_fname == NULL) return;
	static const char separators[] = ": ";
	char *to = list;
	for (const char *from = list; *from != 0;) {
		size_t length = strcspn(from, separators);
		bool is_own = length == strlen(own.dli_fname) && strncmp(from, own.dli_fname, length) == 0;
		char separator = from[length];
		if (!is_own && length != 0) {
			if (to != list) *to++ = ':';
			memmove(to, from, length);
			to += length;
		}
		from += length + (separator != 0);
	}
	*to = 0;
	if (to == list) unsetenv("LD_PRELOAD");
}

void qs_start_preloaded_session(void)
{
	bool follows = qs_environment_follows_children();
	qs_session_start_from_environment();
	if (!follows) leave_preload_list();
}

#endif
