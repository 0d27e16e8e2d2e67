// The functions of libpthread and libdl that the preload object may call, as weak references. Its builds include this
// in every file, by -include.
//
// Before glibc 2.34 these functions are not in libc.so.6. The object must not need their libraries: a program without
// threads would get libpthread. Weak references link without a library and find it in the process at run time, if it
// is there: qs_has_thread_functions() tells for threads, the address of dlopen for the loader.
//
// Nothing is included or declared here: each file selects the features of the system's headers by its own macros.

// Without warnings that a file does not use one of them.
#pragma clang system_header

#pragma weak dlopen
#pragma weak dlsym
#pragma weak pthread_attr_getstack
#pragma weak pthread_attr_setstacksize
#pragma weak pthread_detach
#pragma weak pthread_join
#pragma weak pthread_getattr_np
#pragma weak pthread_key_create
#pragma weak pthread_once
#pragma weak pthread_setspecific
#pragma weak pthread_sigmask
