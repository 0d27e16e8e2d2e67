import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// Names of tasks, of the functions that they ran, and of their awaits.
struct TaskNames {
    let model: DispatchModel
    let symbols: SymbolTable
    let directory: TaskDirectory

    /// `task 12 (load(_:))`, or `task 12 interest (load(_:))` with a name that the program gave the task.
    func task(_ number: UInt64) -> String {
        let (name, code) = (directory.name(of: number), directory.function(of: number))
        return "task \(number)" + (name.isEmpty ? "" : " \(DisplayText.escaped(name))")
            + (code == .unknown ? "" : " (\(brief(code)))")
    }

    func brief(_ code: CodeIndex) -> String {
        code == .unknown ? "" : CodeName.brief(code, in: model, symbols: symbols)
    }

    func awaiting(_ wait: TaskWait) -> String {
        let place = wait.place == .unknown ? "" : " in \(brief(wait.place))"
        return switch wait.kind {
        case .task: "awaited \(task(wait.object))\(place)"
        case .group: "awaited its task group\(place)"
        case .continuation: "awaited a continuation\(place)"
        default: "awaited\(place)"
        }
    }

    /// The item of the main queue that a task on the main actor waited for; empty for none.
    func block(of wait: TaskWait) -> String {
        wait.blockCode == .unknown ? "" : "held by \(brief(wait.blockCode)) on the main queue"
    }

    func waker(of wait: TaskWait) -> String {
        guard wait.resumedAt != nil else { return "never resumed" }
        let code = wait.resumeCode == .unknown ? "" : " in \(brief(wait.resumeCode))"
        if let waker = wait.resumedBy { return "until \(task(waker)) resumed it" + code }
        return "until \(wait.resumedOn.map { ThreadName.of($0, in: model) } ?? "a thread") resumed it" + code
    }
}
