// What libdispatch complains about, and what it says before it ends the process for a failed dispatch_assert_queue. All
// of it goes through one function, which its other one for bugs (not hooked: it tells its callers apart by their return
// addresses) calls as well.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hooks.h"

enum {
	// libdispatch's own buffer has as much.
	MESSAGE_BYTES = 2048,
};

// Recorded before the text is printed: a crash may follow.
QS_HOOK(void, _dispatch_log, (const char *format, ...))
{
	char message[MESSAGE_BYTES];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (length < 0) return; // as libdispatch does
	qs_record_dispatch_log(qs_current_tid(), message, strlen(message));
	original(_dispatch_log)("%s", message);
}
