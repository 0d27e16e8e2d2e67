// Messages of libdispatch, including the message before it ends the process for a failed dispatch_assert_queue. All
// messages pass through _dispatch_log. libdispatch's function for bug reports calls it as well; that function is not
// hooked because it distinguishes its callers by return address.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hooks.h"

enum {
	// Same size as libdispatch's buffer.
	MESSAGE_BYTES = 2048,
};

// Recorded before the text is printed, because the process may end then.
QS_HOOK(void, _dispatch_log, (const char *format, ...))
{
	char message[MESSAGE_BYTES];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (length < 0) return; // same as libdispatch
	qs_record_dispatch_log(qs_current_tid(), message, strlen(message));
	original(_dispatch_log)("%s", message);
}
