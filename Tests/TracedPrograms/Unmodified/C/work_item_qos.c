// Block objects with a QoS class and every flag, on queues with and without a class. The queue's class stays unchanged.
//: items 70
#include "check.h"
#include <Block/Block.h>
#include "unlisted.h"

static const dispatch_qos_class_t classes[] = {
	QOS_CLASS_USER_INTERACTIVE, QOS_CLASS_USER_INITIATED, QOS_CLASS_DEFAULT, QOS_CLASS_UTILITY, QOS_CLASS_BACKGROUND,
};
static const dispatch_block_flags_t flags[] = {
	0, DISPATCH_BLOCK_ASSIGN_CURRENT, DISPATCH_BLOCK_INHERIT_QOS_CLASS, DISPATCH_BLOCK_ENFORCE_QOS_CLASS,
	DISPATCH_BLOCK_DETACHED, DISPATCH_BLOCK_NO_QOS_CLASS, DISPATCH_BLOCK_BARRIER | DISPATCH_BLOCK_ENFORCE_QOS_CLASS,
};

int main(void)
{
	__block int runs = 0;

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		dispatch_queue_attr_t attr = dispatch_queue_attr_make_with_qos_class(NULL, classes[i], -1);
		dispatch_queue_t queue = dispatch_queue_create("qos", attr);
		for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
			dispatch_block_t item = dispatch_block_create_with_qos_class(
				flags[f], classes[(i + f) % 5], -2, ^{ runs++; });
			CHECK(item != NULL);
			dispatch_async(queue, item);
			CHECK(dispatch_block_wait(item, DISPATCH_TIME_FOREVER) == 0);
			dispatch_sync(queue, ^{ });
			Block_release(item);
		}
		int relative = 1;
		unsigned seen = dispatch_queue_get_qos_class(queue, &relative);
		printf("asked for %#x, has %#x, %d\n", classes[i], seen, relative);
		CHECK(dispatch_queue_get_qos_class(queue, NULL) == seen);
		dispatch_release(queue);
	}
	printf("%d runs\n", runs);
	return 0;
}
