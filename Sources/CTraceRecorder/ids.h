#ifndef QS_IDS_H
#define QS_IDS_H

// Forgets the cached id of this thread. In a forked child.
void qs_forget_tid(void);

#endif
