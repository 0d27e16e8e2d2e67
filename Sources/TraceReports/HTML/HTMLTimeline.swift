import DispatchAnalysis
import DispatchModel

import struct Foundation.Data

/// The timeline as one HTML file that any browser opens offline.
///
/// The page carries its style, its program and the trace's items as a compact binary (see ``TimelineFormat``), and a
/// content security policy that allows nothing else: no request leaves it. Texts of the traced program are only ever
/// drawn as text.
public enum HTMLTimeline {
    /// Draws an analysed trace.
    ///
    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis.
    ///   - title: the page's title, such as the program's name.
    ///   - frames: the lines to show for a call stack, innermost first; by default module and offset.
    /// - Returns: the file's bytes, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(
        analysis: Analysis, collector: TimelineCollector, title: String, frames: ((StackIndex) -> [String])? = nil
    ) -> [UInt8] {
        var strings = StringTable()
        strings.insert("")
        for signpost in collector.signposts {
            strings.insert(signpost.timelineName)
            strings.insert(signpost.message)
        }
        let model = analysis.model
        let document = TimelineDocument(
            analysis, collector: collector, title: title, strings: strings,
            frames: frames ?? { moduleFrames(of: $0, in: model) })
        let data = TimelineFormat.encode(document: document.json(), collector: collector, strings: strings)
        return page(title: title, data: data)
    }

    /// Fills the template. The policy names style and program by their digest, so nothing else can run even if a text
    /// of the traced program ended up as markup.
    private static func page(title: String, data: [UInt8]) -> [UInt8] {
        let style = WebAssets.style
        let program = WebAssets.program
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            + "script-src 'sha256-\(base64(ContentDigest.sha256(program)))'; "
            + "style-src 'sha256-\(base64(ContentDigest.sha256(style)))'"
        let values: [String: [UInt8]] = [
            "title": Array(escaped(title).utf8), "policy": Array(policy.utf8), "style": style, "program": program,
            "data": Array(base64(data).utf8),
        ]
        var page: [UInt8] = []
        page.reserveCapacity(values.values.reduce(WebAssets.template.count) { $0 + $1.count })
        // The template's places look like {{name}}; text outside and inside them alternates.
        for (position, piece) in WebAssets.pieces(of: WebAssets.template).enumerated() {
            if position % 2 == 0 {
                page.append(contentsOf: piece)
            } else {
                page.append(contentsOf: values[String(decoding: piece, as: UTF8.self)] ?? [])
            }
        }
        return page
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func escaped(_ text: String) -> String {
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

    /// `libfoo.so+0x1234` per frame: what can be said without symbols.
    private static func moduleFrames(of stack: StackIndex, in model: DispatchModel) -> [String] {
        guard stack.position < model.stacks.count else { return [] }
        return model[stack].map { address in
            guard let image = model.images.first(where: { $0.begin <= address && address < $0.end }) else {
                return "0x" + String(address, radix: 16)
            }
            let name = image.path.split(separator: "/").last.map(String.init) ?? image.path
            return "\(name)+0x" + String(address &- image.base, radix: 16)
        }
    }
}
