#ifndef QS_GROUPS_H
#define QS_GROUPS_H

#include <stdbool.h>

// Whether the object is a group, created by the program or by libdispatch.
bool qs_is_group(const void *object);

// Notes that the program itself uses a group. The group may be older than the session.
void qs_group_encounter(const void *group);

// Call before and after the release of the program's last reference to a group. Call the end function only if the begin
// function returned true (a group of the program). The end function may free the group.
bool qs_group_release_begin(void *group);
void qs_group_release_end(void *group);

#endif
