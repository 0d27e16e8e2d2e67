import DispatchAnalysis
import DispatchModel

import struct Foundation.Data

/// The timeline as one HTML file that any browser opens offline.
///
/// The page carries its style, its program and the trace's items as a compact binary (see ``TimelineFormat``), and a
/// content security policy that allows nothing else: no request leaves it. Texts of the traced program are only ever
/// drawn as text.
public enum HTMLTimeline {
    /// The largest size of the file unless another is asked for: what a mail takes, and what a browser opens at once.
    public static let defaultBudget = 24 << 20

    /// Draws an analysed trace.
    ///
    /// When the page is larger than the budget, detail is left out, last of all around the findings; see
    /// ``TimelineCollector``. What it cannot do without (the program, queues, threads, code, findings) may take more.
    ///
    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis, or another one of the same trace; it is left with
    ///     what is in the page.
    ///   - title: the page's title, such as the program's name.
    ///   - budget: the largest size of the file, in bytes.
    ///   - frames: the lines to show for a call stack, innermost first; by default module and offset.
    /// - Returns: the file's bytes, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(
        analysis: Analysis, collector: TimelineCollector, title: String, budget: Int = defaultBudget,
        frames: ((StackIndex) -> [String])? = nil
    ) -> [UInt8] {
        let data = TimelineBudget.data(
            analysis: analysis, collector: collector, title: title, largest: (budget - emptyPageSize) / 4 * 3,
            frames: frames ?? { moduleFrames(of: $0, in: analysis.model) })
        return page(title: title, data: data)
    }

    private static var emptyPageSize: Int {
        WebAssets.template.count + WebAssets.style.count + WebAssets.program.count + 1_024
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
