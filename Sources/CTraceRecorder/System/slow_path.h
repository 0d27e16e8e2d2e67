// Functions that a fast path rarely calls preserve the caller-saved registers. Otherwise the fast path would save its
// own registers on every call.
#ifndef QS_SLOW_PATH_H
#define QS_SLOW_PATH_H

// clang before 17 restores RAX after such functions, which overwrites their result on x86-64:
// github.com/llvm/llvm-project/issues/48789.
#if defined(__has_attribute) && (!defined(__x86_64__) || __clang_major__ >= 17)
#if __has_attribute(preserve_most)
#define QS_SLOW_PATH __attribute__((preserve_most, noinline))
#endif
#endif
#ifndef QS_SLOW_PATH
#define QS_SLOW_PATH __attribute__((noinline))
#endif

#endif
