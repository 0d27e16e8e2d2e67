// The comparison with the gate that every event and every hook makes.
#ifndef QS_GATE_COMPARISON_H
#define QS_GATE_COMPARISON_H

#include <stdbool.h>

#include "gate.h"

// Whether the session with this number records; with 0, whether none does. One instruction: compilers do not merge an
// atomic load with a comparison.
static inline bool qs_gate_has(uint32_t epoch)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	bool is_equal;
	__asm__ volatile("cmpl %2, %1" : "=@cce"(is_equal) : "m"(qs_gate.epoch), "re"(epoch));
	return is_equal;
#else
	return __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED) == epoch;
#endif
}

#endif
