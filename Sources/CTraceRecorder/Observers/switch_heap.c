#include "switch_heap.h"

static void swap(struct qs_switch_turn *left, struct qs_switch_turn *right)
{
	struct qs_switch_turn turn = *left;
	*left = *right;
	*right = turn;
}

void qs_switch_heap_add(struct qs_switch_heap *heap, struct qs_switch_turn turn)
{
	uint32_t position = heap->count++;
	heap->turns[position] = turn;
	for (; position > 0 && turn.time_ns < heap->turns[(position - 1) / 2].time_ns; position = (position - 1) / 2) {
		swap(&heap->turns[position], &heap->turns[(position - 1) / 2]);
	}
}

static void sink_first(struct qs_switch_heap *heap)
{
	for (uint32_t position = 0;;) {
		uint32_t least = position;
		for (uint32_t child = 2 * position + 1; child <= 2 * position + 2 && child < heap->count; child++) {
			if (heap->turns[child].time_ns < heap->turns[least].time_ns) least = child;
		}
		if (least == position) return;
		swap(&heap->turns[position], &heap->turns[least]);
		position = least;
	}
}

void qs_switch_heap_put_off_first(struct qs_switch_heap *heap, int64_t time_ns)
{
	heap->turns[0].time_ns = time_ns;
	sink_first(heap);
}

void qs_switch_heap_remove_first(struct qs_switch_heap *heap)
{
	heap->turns[0] = heap->turns[--heap->count];
	sink_first(heap);
}
