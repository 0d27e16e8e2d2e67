#ifndef QS_IDS_H
#define QS_IDS_H

// Drops the cached thread id. For a forked child.
void qs_forget_tid(void);

#endif
