// The functions of libpthread and libdl that the preload object may call, as weak references. Its builds include this
// in every file, by -include.
//
// Before glibc 2.34 these functions are not in libc.so.6. The object must not link their libraries, because a program
// without threads would then load libpthread. Weak references link without a library and are resolved at run time if
// the process has it. qs_has_thread_functions() reports this for threads; for the loader, dlopen is NULL if it is
// missing.
//
// This file includes and declares nothing, because each file selects the features of the system's headers by macros.

// Suppresses warnings about functions that a file does not use.
#pragma clang system_header

#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlsym
#pragma weak pthread_attr_getstack
#pragma weak pthread_attr_setstacksize
#pragma weak pthread_create
#pragma weak pthread_detach
#pragma weak pthread_join
#pragma weak pthread_getattr_np
#pragma weak pthread_once
#pragma weak pthread_setspecific
#pragma weak pthread_sigmask
