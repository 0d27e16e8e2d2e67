// The groups that the program uses in a session, by address. Internal groups of libdispatch, one in every block with
// private data and in every io channel, are not in the table. Context: any thread, lock-free.
#ifndef QS_KNOWN_GROUPS_H
#define QS_KNOWN_GROUPS_H

#include <stdbool.h>

// Adds a group of the program. Without memory, the group is not added.
void qs_known_groups_add(const void *group);

bool qs_known_groups_contain(const void *group);

// Removes a group. Call before its memory is freed.
void qs_known_groups_remove(const void *group);

// Removes all groups, and returns the memory to the system. A hook that is still running may add one again; a group
// that is later created at its address replaces it.
void qs_known_groups_forget(void);

#endif
