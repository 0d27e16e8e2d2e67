// Machine code of call instructions: distinguishes a return address from other words that point to code.
#ifndef QS_CALL_CODE_H
#define QS_CALL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QS_LONGEST_CALL = 7 };

// Whether a call instruction ends at the end of these QS_LONGEST_CALL bytes, which precede an address.
static inline bool qs_ends_call(const uint8_t *bytes)
{
	const uint8_t *end = bytes + QS_LONGEST_CALL;
#if defined(__x86_64__)
	enum { CALL = 0xE8, INDIRECT = 0xFF, OPERATION = 0x38, CALL_OPERATION = 0x10 };
	if (end[-5] == CALL) return true;
	static const int8_t lengths[] = {2, 3, 6, QS_LONGEST_CALL};
	for (size_t index = 0; index < sizeof lengths; index++) {
		const uint8_t *start = end - lengths[index];
		if (start[0] == INDIRECT && (start[1] & OPERATION) == CALL_OPERATION) return true;
	}
	return false;
#elif defined(__aarch64__)
	uint32_t instruction;
	__builtin_memcpy(&instruction, end - sizeof instruction, sizeof instruction);
	return (instruction & 0xFC000000) == 0x94000000 || (instruction & 0xFFFFFC1F) == 0xD63F0000;
#else
	(void)end;
	return false;
#endif
}

// Whether a call instruction can end at this address.
static inline bool qs_is_aligned_code(uintptr_t address)
{
#if defined(__aarch64__)
	return address % sizeof(uint32_t) == 0;
#else
	(void)address;
	return true;
#endif
}

#endif
