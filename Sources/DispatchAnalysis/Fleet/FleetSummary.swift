import DispatchModel

extension FleetAnalysis {
    /// The summary of all processes.
    ///
    /// The backend and schema are the values of the first process. The machine and its processors are left out if there
    /// are several machines. If the processes may use different numbers of processors, the summary has the largest
    /// number.
    public var summary: TraceSummary {
        let first = processes.first?.trace
        let isOneHost = hosts.count == 1
        var read = read
        read.events = processes.reduce(0) { $0 + $1.trace.events }
        read.beginUnixNanoseconds = beginUnixNanoseconds
        var summary = TraceSummary(
            path: path, schema: first?.schema ?? DispatchTrace.currentSchema, backend: first?.backend ?? "ring",
            host: isOneHost ? hosts[0] : "",
            processes: descriptions.map { .init(pid: $0.pid, name: $0.name, host: $0.host) }, read: read,
            window: window)
        summary.duration = duration
        if isOneHost { summary.processors = mostProcessors }
        summary.notes += notes
        return summary
    }

    private var mostProcessors: UsableProcessors {
        descriptions.map(\.processors).max { $0.count < $1.count } ?? .unknown
    }

    /// The checks of all processes. Each check is summed over all processes.
    public var quality: Quality {
        var checks: [Quality.Check] = []
        for analysis in processes {
            for check in analysis.quality.checks {
                guard let position = checks.firstIndex(where: { $0.id == check.id }) else {
                    checks.append(check)
                    continue
                }
                let before = checks[position]
                checks[position] = Quality.Check(
                    id: check.id, checked: before.checked + check.checked,
                    violations: before.violations + check.violations,
                    detail: before.violations >= check.violations ? before.detail : check.detail,
                    isLimited: before.isLimited || check.isLimited)
            }
        }
        return Quality(checks: checks)
    }
}
