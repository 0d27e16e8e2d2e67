import CTFReader

/// Completes traces of killed programs before they are read.
enum TraceCompletion {
    /// Completes the traces at a path or below it, and prints remarks about them to standard error.
    ///
    /// A trace that cannot be completed is read as it is.
    ///
    /// - Parameter path: a trace, or a directory with traces below it.
    static func complete(at path: String) {
        // A missing trace is reported by the reader.
        for directory in (try? TraceSearch.traces(at: path).paths) ?? [] {
            do throws(CTFError) {
                switch try ArenaRecovery.complete(path: directory) {
                case .complete, .recovered: break
                case .live:
                    say("\(directory) is still being recorded: events written until a second ago are read")
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
        case .otherNamespace:
            return "\(memory) is in another IPC namespace: read the recording in the container of its program"
        case .removed: return "\(memory) was removed"
        case .unknown: return "\(memory) does not exist here: the machine was restarted, or it is in another container"
        }
    }

    private static func say(_ sentence: String) { StandardError.write("queuescope: \(sentence).\n") }
}
