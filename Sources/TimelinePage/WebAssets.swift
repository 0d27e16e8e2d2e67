import CReportAssets
import ReportText

/// The template, style and program of the page. Their sources are in `Web`.
enum WebAssets {
    static var template: [UInt8] { [UInt8](QS_ASSET_PAGE_TEMPLATE) }
    static var style: [UInt8] { [UInt8](QS_ASSET_PAGE_STYLE) }
    /// All scripts in one. `Tools/PageBundler` bundles them during the build.
    static var program: [UInt8] { pageProgram.withUTF8Buffer(Array.init) }

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
