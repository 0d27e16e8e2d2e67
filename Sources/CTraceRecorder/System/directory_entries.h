// Entries of a directory, listed by the kernel. readdir is not used: it allocates, and the program's allocator may be
// the traced code.
#ifndef QS_DIRECTORY_ENTRIES_H
#define QS_DIRECTORY_ENTRIES_H

#include <stdbool.h>

// Calls `visit` with the name of every entry, also "." and "..", from the start of the directory. Returns false when it
// cannot be read. Context: no other thread reads this descriptor.
bool qs_directory_visit(int directory, void (*visit)(const char *name, void *context), void *context);

#endif
