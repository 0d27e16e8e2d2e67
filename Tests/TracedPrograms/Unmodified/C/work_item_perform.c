// dispatch_block_perform, nested block objects, copies of block objects, and invalid arguments.
//: items 3
#include "check.h"
#include <Block/Block.h>
#include "unlisted.h"

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("perform", NULL);
	__block int runs = 0;

	dispatch_block_perform(0, ^{ runs++; });
	dispatch_block_perform(DISPATCH_BLOCK_DETACHED, ^{ runs++; });
	dispatch_sync(queue, ^{ dispatch_block_perform(DISPATCH_BLOCK_ASSIGN_CURRENT, ^{ runs++; }); });

	dispatch_block_t inner = dispatch_block_create(0, ^{ runs++; });
	dispatch_block_t outer = dispatch_block_create(DISPATCH_BLOCK_BARRIER, inner);
	dispatch_block_t copy = Block_copy(outer);
	CHECK(copy == outer);
	dispatch_sync(queue, copy);
	CHECK(dispatch_block_wait(outer, DISPATCH_TIME_FOREVER) == 0);
	CHECK(dispatch_block_wait(inner, DISPATCH_TIME_FOREVER) == 0);
	// A block object without a wait: after a wait it may not run again.
	dispatch_block_t performed = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{ runs++; });
	dispatch_block_perform(0, performed);
	performed();
	Block_release(performed);
	Block_release(copy);
	Block_release(outer);
	Block_release(inner);

	CHECK(dispatch_block_create((dispatch_block_flags_t)0x8000000, ^{ }) == NULL);
	CHECK(dispatch_block_create_with_qos_class(0, (dispatch_qos_class_t)0x77, 0, ^{ }) == NULL);
	CHECK(dispatch_block_create_with_qos_class(0, QOS_CLASS_UTILITY, 1, ^{ }) == NULL);
	dispatch_block_t with_qos = dispatch_block_create_with_qos_class(
		DISPATCH_BLOCK_ENFORCE_QOS_CLASS, QOS_CLASS_UTILITY, -3, ^{ runs++; });
	CHECK(with_qos != NULL);
	dispatch_sync(queue, with_qos);
	Block_release(with_qos);

	printf("%d runs\n", runs);
	dispatch_release(queue);
	return 0;
}
