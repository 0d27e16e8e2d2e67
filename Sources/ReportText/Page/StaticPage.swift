import CReportAssets

import struct FoundationEssentials.Data

/// An HTML page without a program, in the style of the timeline.
///
/// Its content security policy allows its style only, so the page sends no request and runs no code.
package enum StaticPage {
    /// A page is read from top to bottom, while the timeline fills the window.
    private static let layout = """
        html, body { height: auto; }
        main { display: block; }
        body { display: block; overflow: auto; max-width: 1100px; margin: 0 auto; padding: 0 16px 32px; }
        header { padding-left: 0; }
        section { margin-top: 20px; overflow-wrap: anywhere; }
        """

    /// Renders a page.
    ///
    /// - Parameters:
    ///   - title: the title, as text.
    ///   - content: the markup below the header. Texts in it must be escaped (``text(_:)``).
    /// - Returns: the bytes of the file, UTF-8.
    package static func render(title: String, content: String) -> [UInt8] {
        let style = [UInt8](QS_ASSET_PAGE_STYLE) + Array(layout.utf8)
        let digest = Data(ContentDigest.sha256(style)).base64EncodedString()
        let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-\(digest)'"
        let head = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="generator" content="Queuescope">
            <title>\(text(title)) · Queuescope</title>
            <style>
            """
        let body = """
            </style>
            </head>
            <body>
            <header><h1><span class="brand">Queuescope</span> <span class="name">\(text(title))</span></h1></header>
            <main>
            \(content)
            </main>
            </body>
            </html>

            """
        return Array(head.utf8) + style + Array(body.utf8)
    }

    /// Text as markup: characters with a meaning in HTML are escaped.
    package static func text(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension [UInt8] {
    /// The contents of a file that the build embedded into the executable.
    package init(_ name: qs_report_asset_name) {
        let asset = qs_report_asset_get(name)
        self.init(UnsafeBufferPointer(start: asset.bytes, count: asset.size))
    }
}
