// Files that reports are made of, embedded in the executable, so that the command works from any directory.
#ifndef QS_CREPORT_ASSETS_H
#define QS_CREPORT_ASSETS_H

#include <stddef.h>

struct qs_report_asset {
	const unsigned char *bytes; // valid for the process's life, not terminated by a zero
	size_t size;
};

enum qs_report_asset_name {
	QS_ASSET_PAGE_TEMPLATE,
	QS_ASSET_PAGE_STYLE,
	QS_ASSET_REPORT_SCHEMA,
	QS_ASSET_CHECK_SCHEMA,
	QS_ASSET_DIFF_SCHEMA,
	QS_ASSET_LIVE_SCHEMA,
	QS_ASSET_STUCK_SCHEMA,
};

// Context: any thread.
struct qs_report_asset qs_report_asset_get(enum qs_report_asset_name name);

#endif
