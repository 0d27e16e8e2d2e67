#ifndef DISPATCH_FUNCTIONS_H
#define DISPATCH_FUNCTIONS_H

/* Declarations of the libdispatch functions that the library uses. The C targets of a package cannot include the
 * toolchain's header. */

#include <stdint.h>

typedef struct dispatch_object *dispatch_queue_t;
typedef struct dispatch_object *dispatch_group_t;

#define DISPATCH_QUEUE_SERIAL ((void *)0)
#define DISPATCH_TIME_FOREVER UINT64_MAX
#define QOS_CLASS_UTILITY 0x11

dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
dispatch_queue_t dispatch_queue_create(const char *label, void *attributes);
dispatch_queue_t dispatch_queue_create_with_target(const char *label, void *attributes, dispatch_queue_t target);
void dispatch_set_target_queue(void *object, dispatch_queue_t target);
dispatch_group_t dispatch_group_create(void);
void dispatch_group_async_f(dispatch_group_t group, dispatch_queue_t queue, void *context, void (*work)(void *));
intptr_t dispatch_group_wait(dispatch_group_t group, uint64_t deadline);
void dispatch_release(void *object);

#endif
