/// The page's template, style and program, as SwiftPM embedded them from `HTML/Web`.
///
/// They are in the binary, not in a bundle beside it, so the command works wherever it is copied.
enum WebAssets {
    static var template: [UInt8] { PackageResources.timeline_html }
    static var style: [UInt8] { PackageResources.timeline_css }

    /// The program's files in the order of their dependencies, in one strict scope of their own.
    static var program: [UInt8] {
        let files = [
            PackageResources.units_js,
            PackageResources.page_element_js,
            PackageResources.decoder_js,
            PackageResources.time_sort_js,
            PackageResources.depth_js,
            PackageResources.lanes_js,
            PackageResources.left_out_js,
            PackageResources.joined_traces_js,
            PackageResources.steps_js,
            PackageResources.processors_js,
            PackageResources.relations_js,
            PackageResources.trace_js,
            PackageResources.domain_js,
            PackageResources.palette_js,
            PackageResources.viewport_js,
            PackageResources.painter_js,
            PackageResources.queue_track_js,
            PackageResources.domain_track_js,
            PackageResources.thread_track_js,
            PackageResources.workers_track_js,
            PackageResources.processor_track_js,
            PackageResources.path_track_js,
            PackageResources.signpost_track_js,
            PackageResources.overlap_track_js,
            PackageResources.track_list_js,
            PackageResources.focus_js,
            PackageResources.callouts_js,
            PackageResources.reading_hints_js,
            PackageResources.brief_js,
            PackageResources.banner_js,
            PackageResources.overview_js,
            PackageResources.range_selection_js,
            PackageResources.connections_js,
            PackageResources.causal_path_js,
            PackageResources.timeline_view_js,
            PackageResources.findings_panel_js,
            PackageResources.item_story_js,
            PackageResources.details_panel_js,
            PackageResources.range_tables_js,
            PackageResources.range_panel_js,
            PackageResources.search_js,
            PackageResources.row_filter_js,
            PackageResources.row_cursor_js,
            PackageResources.svg_context_js,
            PackageResources.view_export_js,
            PackageResources.input_js,
            PackageResources.keyboard_js,
            PackageResources.address_js,
            PackageResources.page_address_js,
            PackageResources.extents_js,
            PackageResources.page_js,
            PackageResources.start_js,
        ]
        let body = Array(files.joined(separator: Array("\n".utf8)))
        return Array("(() => {\n'use strict';\n".utf8) + body + Array("\n})();\n".utf8)
    }

    /// Splits a template at `{{` and `}}`: text, name, text, name, … text.
    static func pieces(of template: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        var position = 0
        while position + 1 < template.count {
            let mark = pieces.count % 2 == 0 ? UInt8(ascii: "{") : UInt8(ascii: "}")
            if template[position] == mark, template[position + 1] == mark {
                pieces.append(template[start..<position])
                position += 2
                start = position
            } else {
                position += 1
            }
        }
        return pieces + [template[start...]]
    }
}
