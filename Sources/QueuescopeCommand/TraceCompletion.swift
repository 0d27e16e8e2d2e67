import CTFReader

/// Completes what a killed program left in memory, before a trace is read.
enum TraceCompletion {
    /// Completes the traces at a path or below it, and says on standard error what a reader has to know of them.
    ///
    /// What cannot be completed is read as it is.
    ///
    /// - Parameter path: a trace, or a directory with traces below it.
    static func complete(at path: String) {
        // Where there is no trace, whoever reads it says so.
        for directory in (try? TraceSearch.traces(at: path).paths) ?? [] {
            do throws(CTFError) {
                switch try ArenaRecovery.complete(path: directory) {
                case .complete, .recovered: break
                case .live:
                    say("\(directory) is still being recorded: what was written until a second ago is read")
                case .arenaGone(let absence):
                    say("\(explanation(of: absence, in: directory)); the last second of the recording may be missing")
                }
            } catch {
                say("\(error)")
            }
        }
    }

    private static func explanation(of absence: ArenaAbsence, in directory: String) -> String {
        let memory = "the memory of the recording \(directory)"
        switch absence {
        case .otherBoot: return "\(memory) is lost, because the machine was restarted, or recorded on another machine"
        case .otherMountNamespace:
            return "\(memory) is in another mount namespace: read the recording in the container of its program"
        case .removed: return "\(memory) was removed"
        case .unknown: return "\(memory) does not exist here: the machine was restarted, or it is in another container"
        }
    }

    private static func say(_ sentence: String) { StandardError.write("queuescope: \(sentence).\n") }
}
