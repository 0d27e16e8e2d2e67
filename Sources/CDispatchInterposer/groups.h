#ifndef QS_GROUPS_H
#define QS_GROUPS_H

#include <stdbool.h>

// Whether the program made this group. libdispatch has groups of its own, one in every block with private data and in
// every io channel; nobody wants to see those. A group may be taken for the program's when it lies where one of the
// program's lay before. Context: any thread.
bool qs_group_is_program_made(const void *group);

#endif
