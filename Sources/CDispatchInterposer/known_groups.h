// The program's groups, by address. libdispatch has groups of its own, one in every block with private data and in
// every io channel, and nobody wants to see those. Kept while no session records too. Context of all: any thread;
// nothing waits.
#ifndef QS_KNOWN_GROUPS_H
#define QS_KNOWN_GROUPS_H

#include <stdbool.h>

// Enters a group that the program made. Without memory for it, it is not known then.
void qs_known_groups_add(const void *group);

bool qs_known_groups_contain(const void *group);

// The group goes away, before its memory does.
void qs_known_groups_remove(const void *group);

#endif
