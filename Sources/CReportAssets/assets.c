// #embed instead of SwiftPM's `.embedInCode`, which generates an array literal that takes Swift more than a minute and
// 1 GB to compile. The compiler lists the embedded files as dependencies, so a build after a change compiles this file
// again.
#include "include/CReportAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_template[] = {
#embed "../TimelinePage/Web/timeline.html"
};

static const unsigned char page_style[] = {
#embed "../TimelinePage/Web/timeline.css"
};

static const unsigned char report_schema[] = {
#embed "../TraceReports/JSON/report.schema.json"
};

static const unsigned char check_schema[] = {
#embed "../TraceReports/JSON/check.schema.json"
};

static const unsigned char diff_schema[] = {
#embed "../TraceReports/JSON/diff.schema.json"
};

static const unsigned char live_schema[] = {
#embed "../TraceReports/JSON/live.schema.json"
};

static const unsigned char stuck_schema[] = {
#embed "../ProcessInspection/Report/stuck.schema.json"
};

#define QS_ASSET(array) {.bytes = (array), .size = sizeof(array)}

static const struct qs_report_asset assets[] = {
	[QS_ASSET_PAGE_TEMPLATE] = QS_ASSET(page_template),
	[QS_ASSET_PAGE_STYLE] = QS_ASSET(page_style),
	[QS_ASSET_REPORT_SCHEMA] = QS_ASSET(report_schema),
	[QS_ASSET_CHECK_SCHEMA] = QS_ASSET(check_schema),
	[QS_ASSET_DIFF_SCHEMA] = QS_ASSET(diff_schema),
	[QS_ASSET_LIVE_SCHEMA] = QS_ASSET(live_schema),
	[QS_ASSET_STUCK_SCHEMA] = QS_ASSET(stuck_schema),
};

struct qs_report_asset qs_report_asset_get(enum qs_report_asset_name name)
{
	return assets[name];
}
