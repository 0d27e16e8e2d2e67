#include "notifications.h"

#include "context_nodes.h"
#include "encounters.h"

_Static_assert(
	sizeof(struct qs_notification) <= sizeof(struct qs_context_node), "a notification has the memory of a node");

// Marks the list of a work item that has run.
static struct qs_notification has_run;

struct qs_notification *qs_notification_make(const void *queue)
{
	struct qs_notification *notification = (struct qs_notification *)qs_context_node_take(NULL, NULL);
	if (notification == NULL) return NULL;
	*notification = (struct qs_notification){.queue = qs_queue_number(queue)};
	return notification;
}

void qs_notification_release(struct qs_notification *notification)
{
	// Pairs with itself: the second owner sees the first owner's writes.
	if (!__atomic_exchange_n(&notification->has_one_owner, true, __ATOMIC_ACQ_REL)) return;
	qs_context_node_give((struct qs_context_node *)notification);
}

// Marks the notification as submitted. Returns true for the first call.
static bool submit(struct qs_notification *notification)
{
	return !__atomic_exchange_n(&notification->is_submitted, true, __ATOMIC_ACQ_REL);
}

void qs_notification_record_submission(struct qs_notification *notification)
{
	if (!submit(notification)) return;
	uint64_t item = (uint64_t)(uintptr_t)notification;
	qs_record_item_enqueue(item, notification->queue, notification->code, qs_item_kind_notify, notification->qos);
	if (notification->is_barrier) qs_record_item_barrier(item);
}

void qs_notification_record_cancel(struct qs_notification *notification)
{
	if (!submit(notification)) qs_record_item_cancel((uint64_t)(uintptr_t)notification);
}

void qs_notifications_add(struct qs_notifications *notifications, struct qs_notification *notification)
{
	struct qs_notification *last = __atomic_load_n(&notifications->last, __ATOMIC_ACQUIRE);
	do {
		if (last == &has_run) {
			qs_notification_record_submission(notification);
			qs_notification_release(notification);
			return;
		}
		notification->next = last;
		// Pairs with the exchange in qs_notifications_submit.
	} while (!__atomic_compare_exchange_n(
		&notifications->last, &last, notification, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
}

void qs_notifications_submit(struct qs_notifications *notifications)
{
	struct qs_notification *last = __atomic_exchange_n(&notifications->last, &has_run, __ATOMIC_ACQUIRE);
	if (last == &has_run) return;
	// libdispatch submits notifications in the order in which they were added.
	struct qs_notification *first = NULL;
	while (last != NULL) {
		struct qs_notification *previous = last->next;
		last->next = first;
		first = last;
		last = previous;
	}
	while (first != NULL) {
		struct qs_notification *next = first->next;
		qs_notification_record_submission(first);
		qs_notification_release(first);
		first = next;
	}
}

void qs_notifications_destroy(struct qs_notifications *notifications)
{
	struct qs_notification *each = __atomic_exchange_n(&notifications->last, NULL, __ATOMIC_ACQUIRE);
	while (each != NULL && each != &has_run) {
		struct qs_notification *next = each->next;
		qs_notification_release(each);
		each = next;
	}
}
