import DispatchAnalysis
import DispatchModel

import struct FoundationEssentials.Data

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
    ///   - side: the trace.
    ///   - title: the page's title, such as the program's name.
    ///   - budget: the largest size of the file, in bytes.
    /// - Returns: the file's bytes, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(_ side: TimelineSide, title: String, budget: Int = defaultBudget) -> [UInt8] {
        page(title: title, data: TimelineBudget.data(of: side, title: title, largest: largestData(of: budget)))
    }

    /// Draws two traces one above the other on one time scale, with what has become of the findings.
    ///
    /// - Parameters:
    ///   - comparison: of the two analyses.
    ///   - before: the trace before the change.
    ///   - after: the trace after it.
    ///   - title: the page's title, such as the program's name.
    ///   - budget: the largest size of the file, in bytes; each of the traces gets half of it.
    /// - Returns: the file's bytes, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(
        _ comparison: TraceComparison, before: TimelineSide, after: TimelineSide, title: String,
        budget: Int = defaultBudget
    ) -> [UInt8] {
        let largest = largestData(of: budget) / 2
        return page(
            title: title,
            data: TimelineBudget.data(
                of: before.compared(gone: comparison.gone), title: title, largest: largest),
            after: TimelineBudget.data(
                of: after.compared(new: comparison.new, worse: comparison.worse.map(\.finding)), title: title,
                largest: largest))
    }

    /// What the data may take before it is written in base64.
    private static func largestData(of budget: Int) -> Int { (budget - emptyPageSize) / 4 * 3 }

    /// What a page takes without any data.
    static var emptyPageSize: Int {
        WebAssets.template.count + WebAssets.style.count + WebAssets.program.count + 4_096
    }

    /// Fills the template. The policy names style and program by their digest, so nothing else can run even if a text
    /// of the traced program ended up as markup.
    private static func page(title: String, data: [UInt8], after: [UInt8] = []) -> [UInt8] {
        let style = WebAssets.style
        let program = WebAssets.program
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            + "script-src 'sha256-\(base64(ContentDigest.sha256(program)))'; "
            + "style-src 'sha256-\(base64(ContentDigest.sha256(style)))'"
        let values: [String: [UInt8]] = [
            "title": Array(escaped(title).utf8), "policy": Array(policy.utf8), "style": style, "program": program,
            "data": comments(data), "after": comments(after),
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

    /// Data as base64 in comments of a mebibyte: a browser reads them in two thirds of the time of one long script
    /// element.
    private static func comments(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 3 << 18).flatMap { start in
            Array("<!--\(base64(Array(data[start..<min(start + 3 << 18, data.count)])))-->".utf8)
        }
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
}
