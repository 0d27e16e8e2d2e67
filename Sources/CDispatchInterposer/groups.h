#ifndef QS_GROUPS_H
#define QS_GROUPS_H

#include <stdbool.h>

// Whether it is a group: one that the program made, or one of libdispatch's own.
bool qs_is_group(const void *object);

// Around the call that gives the program's last reference to a group back: the end is called when the begin says that
// it is a group of the program's. The end may be what makes the group go away.
bool qs_group_release_begin(void *group);
void qs_group_release_end(void *group);

#endif
