import DispatchAnalysis
import DispatchModel
import Foundation

/// The judgement of the reports about a public case and its repaired version.
struct PublicCaseVerdict {
    enum Grade: String {
        /// The first finding has an expected detector and names the function. Notes count if there is no warning.
        case good
        /// A finding has an expected detector, or the first finding names the function.
        case half
        case missed
    }

    let grade: Grade
    /// The first finding, for the reader.
    let first: String
    /// Warnings and errors that the program declares.
    let trueFindings: Int
    /// Warnings and errors that it does not declare: detector and summary.
    let falseFindings: [String]

    /// - Parameters:
    ///   - expected: the program with its declarations.
    ///   - problem: the report about the program.
    ///   - repaired: the report about its repaired version, in which each warning is false.
    init(_ expected: PublicCase, problem: Analysis, repaired: Analysis) {
        let warnings = problem.findings.filter { $0.severity > .info }
        // A reader without a warning reads the notes.
        let read = warnings.isEmpty ? problem.findings : warnings
        func names(_ finding: Finding) -> Bool {
            let text = [finding.summary, finding.advice.text] + finding.code.map { problem.model[$0].description }
            return text.contains { $0.contains(expected.code) }
        }
        let isFound = read.contains { expected.detectors.contains($0.detector) }
        if let first = read.first, expected.detectors.contains(first.detector), names(first) {
            grade = .good
        } else {
            grade = isFound || read.first.map(names) ?? false ? .half : .missed
        }
        first = read.first.map { "\($0.detector): \($0.summary)" } ?? "no finding"
        trueFindings = warnings.count { expected.also.contains($0.detector) }
        falseFindings =
            warnings.filter { !expected.also.contains($0.detector) }.map { "\($0.detector): \($0.summary)" }
            + repaired.findings.filter { $0.severity > .info }.map { "repaired, \($0.detector): \($0.summary)" }
    }
}
