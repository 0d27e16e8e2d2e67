// #embed instead of SwiftPM's `.embedInCode`: Swift takes more than a minute and 1 GB for the array literal which that makes of these files. The
// compiler lists them as dependencies, so a build after a change compiles this file again.
#include "include/CReportAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_template[] = {
#embed "../TraceReports/HTML/Web/timeline.html"
};

static const unsigned char page_style[] = {
#embed "../TraceReports/HTML/Web/timeline.css"
};

// In the order of their dependencies, each with a line feed after it.
static const unsigned char page_program[] = {
#embed "../TraceReports/HTML/Web/units.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/page_element.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/decoder.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/time_sort.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/depth.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/lanes.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/left_out.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/joined_traces.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/steps.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/processors.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/relations.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/trace.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/domain.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/palette.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/viewport.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/painter.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/queue_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/domain_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/thread_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/workers_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/processor_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/path_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/signpost_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/overlap_track.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/track_list.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/focus.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/callouts.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/reading_hints.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/brief.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/banner.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/overview.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/range_selection.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/connections.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/causal_path.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/timeline_view.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/findings_panel.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/item_story.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/details_panel.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/range_tables.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/range_panel.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/search.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/row_filter.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/row_cursor.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/svg_context.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/view_export.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/input.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/keyboard.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/address.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/page_address.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/extents.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/page.js" suffix(, '\n',)
#embed "../TraceReports/HTML/Web/start.js" suffix(, '\n',)
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

#define QS_ASSET(array) {.bytes = (array), .size = sizeof(array)}

static const struct qs_report_asset assets[] = {
	[QS_ASSET_PAGE_TEMPLATE] = QS_ASSET(page_template),
	[QS_ASSET_PAGE_STYLE] = QS_ASSET(page_style),
	[QS_ASSET_PAGE_PROGRAM] = QS_ASSET(page_program),
	[QS_ASSET_REPORT_SCHEMA] = QS_ASSET(report_schema),
	[QS_ASSET_CHECK_SCHEMA] = QS_ASSET(check_schema),
	[QS_ASSET_DIFF_SCHEMA] = QS_ASSET(diff_schema),
};

struct qs_report_asset qs_report_asset_get(enum qs_report_asset_name name)
{
	return assets[name];
}
