// The directory of a trace.
#ifndef QS_TRACE_DIRECTORY_H
#define QS_TRACE_DIRECTORY_H

// Creates the directory (mode 0700), or accepts an empty directory of this user, never through a symbolic link. Returns
// an enum qs_session_error, with errno.
int qs_trace_directory_make(const char *path);

#endif
