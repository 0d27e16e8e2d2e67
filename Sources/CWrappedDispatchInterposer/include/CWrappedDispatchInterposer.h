// The interposer for programs that contain libdispatch (-static-stdlib): the hooks of CDispatchInterposer under the
// names that the linker's --wrap gives them. Link with the flags that `queuescope link-flags` prints.
#ifndef CWRAPPED_DISPATCH_INTERPOSER_H
#define CWRAPPED_DISPATCH_INTERPOSER_H
#endif
