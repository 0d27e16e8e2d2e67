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
                case .arenaGone:
                    say(
                        "the memory of the recording \(directory) is gone, as after a restart of the machine: its last second may be missing"
                    )
                }
            } catch {
                say("\(error)")
            }
        }
    }

    private static func say(_ sentence: String) { StandardError.write("queuescope: \(sentence).\n") }
}
