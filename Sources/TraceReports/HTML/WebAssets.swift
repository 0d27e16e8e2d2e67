import CReportAssets

/// The page's template, style and program, which are in `HTML/Web`.
enum WebAssets {
    static var template: [UInt8] { [UInt8](QS_ASSET_PAGE_TEMPLATE) }
    static var style: [UInt8] { [UInt8](QS_ASSET_PAGE_STYLE) }
    /// The scripts as one, which `Tools/PageBundler` makes while the package is built.
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

extension [UInt8] {
    /// A file that the build put into the executable.
    init(_ name: qs_report_asset_name) {
        let asset = qs_report_asset_get(name)
        self.init(UnsafeBufferPointer(start: asset.bytes, count: asset.size))
    }
}
