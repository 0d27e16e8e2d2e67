// Lists without locks, of elements with numbers from 1 on. Context of all functions: any thread, also a signal handler.
//
// The low half of a list is the number of its first element, 0 when it is empty. The high half counts the changes of
// the list. It prevents the ABA problem: the exchange fails if the same element was removed and inserted again since
// the load.
#ifndef QS_TAGGED_LIST_H
#define QS_TAGGED_LIST_H

#include <stdbool.h>
#include <stdint.h>

#define QS_TAGGED_LIST_INLINE static inline __attribute__((always_inline))

// Inserts the element with this number. `next` is its member for the number of the next element.
QS_TAGGED_LIST_INLINE void qs_tagged_list_push(uint64_t *list, uint32_t number, uint32_t *next)
{
	uint64_t head = __atomic_load_n(list, __ATOMIC_RELAXED);
	uint64_t changed;
	do {
		__atomic_store_n(next, (uint32_t)head, __ATOMIC_RELAXED);
		changed = ((head >> 32) + 1) << 32 | number;
	} while (!__atomic_compare_exchange_n(list, &head, changed, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

// Removes the first element and returns its number, 0 when the list is empty. `next_of` returns the member for the next
// element's number; the element may be in use by another thread at that time.
QS_TAGGED_LIST_INLINE uint32_t qs_tagged_list_pop(uint64_t *list, uint32_t *(*next_of)(uint32_t number))
{
	uint64_t head = __atomic_load_n(list, __ATOMIC_ACQUIRE);
	uint64_t changed;
	do {
		if ((uint32_t)head == 0) return 0;
		// Another thread may already have taken this element; in that case the exchange fails.
		uint32_t second = __atomic_load_n(next_of((uint32_t)head), __ATOMIC_RELAXED);
		changed = ((head >> 32) + 1) << 32 | second;
	} while (!__atomic_compare_exchange_n(list, &head, changed, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	return (uint32_t)head;
}

#endif
