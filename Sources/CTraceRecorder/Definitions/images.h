// Executable and libraries of the process, for symbolizing addresses later, possibly on another machine.
#ifndef QS_IMAGES_H
#define QS_IMAGES_H

#include <stdbool.h>

// Writes `image` definitions of everything that is mapped, and again after libraries were loaded. Takes the loader's
// lock.
void qs_images_record(void);

// Requests that call from the recorder thread, soon or at the session's stop.
void qs_images_request(void);

// Whether there is a request; the second function also ends it.
bool qs_images_are_wanted(void);
bool qs_images_take_request(void);

// Reads the path of the executable. The session's lock is held.
void qs_images_find_executable(void);

#endif
