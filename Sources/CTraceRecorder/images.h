// The executable and the libraries of the process, for symbolising addresses later and elsewhere.
#ifndef QS_IMAGES_H
#define QS_IMAGES_H

// Writes `image` definitions of everything mapped, and again when libraries were loaded since. Takes the loader's lock.
void qs_images_record(void);

// Has that done soon, or at the session's stop.
void qs_images_request(void);

// Finds the executable's path. The session's lock is held.
void qs_images_find_executable(void);

#endif
