import DispatchAnalysis

extension Finding.Severity {
    /// How a severity stands out on a terminal.
    var ink: Ink {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        }
    }
}
