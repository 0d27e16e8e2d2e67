#ifndef QS_GROUPS_H
#define QS_GROUPS_H

#include <stdbool.h>

// Around the call that gives the program's last reference to an object back: the end is called when the begin says that
// it is a group of the program's. The end may be what makes the group go away.
bool qs_group_release_begin(void *object);
void qs_group_release_end(void *group);

#endif
