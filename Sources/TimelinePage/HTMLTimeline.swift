import DispatchAnalysis
import DispatchModel
import ReportText

import struct FoundationEssentials.Data

/// The timeline as one HTML file that any browser opens offline.
///
/// The page contains its style, its program and the items of the trace in a compact binary format (see
/// ``TimelineFormat``). Its content security policy allows nothing else, so the page sends no request. Text of the
/// traced program is always drawn as text.
public enum HTMLTimeline {
    /// The default size limit of the file: it fits in a mail, and a browser opens it without delay.
    public static let defaultBudget = 24 << 20

    /// Renders an analysed trace.
    ///
    /// When the page is larger than the budget, details are omitted, details around findings last; see
    /// ``TimelineCollector``. Mandatory parts (program, queues, threads, code, findings) can exceed the budget.
    ///
    /// - Parameters:
    ///   - side: the trace.
    ///   - title: the title of the page, such as the name of the program.
    ///   - budget: the size limit of the file, in bytes.
    /// - Returns: the bytes of the file, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(_ side: TimelineSide, title: String, budget: Int = defaultBudget) -> [UInt8] {
        page(title: title, data: TimelineBudget.data(of: side, title: title, largest: largestData(of: budget)))
    }

    /// Renders two traces on one time scale, one above the other.
    ///
    /// - Parameters:
    ///   - before: the trace before the change, with the result of the comparison.
    ///   - after: the trace after the change, with the result of the comparison.
    ///   - title: the title of the page, such as the name of the program.
    ///   - budget: the size limit of the file, in bytes; each trace gets half of it.
    /// - Returns: the bytes of the file, UTF-8.
    /// - Complexity: O(n log n) in the number of items.
    public static func render(
        before: TimelineSide, after: TimelineSide, title: String, budget: Int = defaultBudget
    ) -> [UInt8] {
        let largest = largestData(of: budget) / 2
        return page(
            title: title, data: TimelineBudget.data(of: before, title: title, largest: largest),
            after: TimelineBudget.data(of: after, title: title, largest: largest))
    }

    /// The most bytes of data before base64 encoding.
    private static func largestData(of budget: Int) -> Int { (budget - emptyPageSize) / 4 * 3 }

    /// The size of a page without data, in bytes.
    static var emptyPageSize: Int {
        WebAssets.template.count + WebAssets.style.count + WebAssets.program.count + 4_096
    }

    /// Fills in the template. The policy allows style and program by their digests, so that no other code can run even
    /// if text of the traced program became markup.
    private static func page(title: String, data: [UInt8], after: [UInt8] = []) -> [UInt8] {
        let style = WebAssets.style
        let program = WebAssets.program
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            + "script-src 'sha256-\(base64(ContentDigest.sha256(program)))'; "
            + "style-src 'sha256-\(base64(ContentDigest.sha256(style)))'"
        let values: [String: [UInt8]] = [
            "title": Array(StaticPage.text(title).utf8), "policy": Array(policy.utf8), "style": style,
            "program": program,
            "data": comments(data), "after": comments(after),
        ]
        var page: [UInt8] = []
        page.reserveCapacity(values.values.reduce(WebAssets.template.count) { $0 + $1.count })
        // Placeholders of the template have the form {{name}}. Text outside and inside of placeholders alternates.
        for (position, piece) in WebAssets.pieces(of: WebAssets.template).enumerated() {
            if position % 2 == 0 {
                page.append(contentsOf: piece)
            } else {
                page.append(contentsOf: values[String(decoding: piece, as: UTF8.self)] ?? [])
            }
        }
        return page
    }

    /// Data as base64 in comments of 1 MiB. A browser reads them in two thirds of the time that one long script element
    /// takes.
    private static func comments(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 3 << 18).flatMap { start in
            Array("<!--\(base64(Array(data[start..<min(start + 3 << 18, data.count)])))-->".utf8)
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
