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
                case .arenaGone:
                    say(
                        "the memory of the recording \(directory) no longer exists, for example after a restart of the "
                            + "machine: its last second may be missing"
                    )
                }
            } catch {
                say("\(error)")
            }
        }
    }

    private static func say(_ sentence: String) { StandardError.write("queuescope: \(sentence).\n") }
}
