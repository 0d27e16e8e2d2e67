// Patterns for the path of a trace directory, so that each start of a program records into a directory of its own:
//
//	%n  name of the program           news
//	%p  process id                    4711
//	%t  UTC time with milliseconds    20261128T094100.250Z; the names sort in the order of time
//	%h  name of the host              node-3
//	%%  a percent sign
//
// `record` has the same letters (Sources/QueuescopeCommand/Recording/TracePattern.swift).
#ifndef QS_TRACE_PATTERN_H
#define QS_TRACE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

// Replaces the letters by the values of this process, and drops slashes at the end. Returns QS_SESSION_OK,
// QS_SESSION_BAD_PATTERN or QS_SESSION_PATH_TOO_LONG. Allocates: no.
int qs_trace_pattern_expand(const char *pattern, char *path, size_t size);

// Whether another start of this program on this host may have made `name` from this last component of a pattern. A
// hyphen and a number may follow, as in the directories of child processes and of programs before exec. Allocates: no.
bool qs_trace_pattern_matches(const char *component, const char *name);

#endif
