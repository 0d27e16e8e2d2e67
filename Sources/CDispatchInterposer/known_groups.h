// The program's groups, by address. Internal groups of libdispatch, one in every block with private data and in every
// io channel, are not in the table. The table is maintained even when no session records. Context: any thread,
// lock-free.
#ifndef QS_KNOWN_GROUPS_H
#define QS_KNOWN_GROUPS_H

#include <stdbool.h>

// Adds a group that the program created. Without memory, the group is not added.
void qs_known_groups_add(const void *group);

bool qs_known_groups_contain(const void *group);

// Removes a group. Call before its memory is freed.
void qs_known_groups_remove(const void *group);

#endif
