import CTraceRecorder
import Synchronization

/// The numbers of all signposters of the process, one for each subsystem and category.
final class SignpostLogs: LiveObject {
    private struct Name: Hashable {
        let subsystem: String
        let category: String
    }

    private static let shared: SignpostLogs = {
        let logs = SignpostLogs()
        LiveObjects.add(logs)
        return logs
    }()

    private let numbers = Mutex<[Name: UInt32]>([:])

    static func number(subsystem: String, category: String) -> UInt32 {
        let name = Name(subsystem: subsystem, category: category)
        let (number, isNew) = shared.numbers.withLock { numbers in
            if let known = numbers[name] { return (known, false) }
            let number = UInt32(numbers.count + 1)
            numbers[name] = number
            return (number, true)
        }
        if isNew, qs_is_recording() { define(number, name) }
        return number
    }

    func recordState() {
        for (name, number) in numbers.withLock({ $0 }) { Self.define(number, name) }
    }

    private static func define(_ number: UInt32, _ name: Name) {
        name.subsystem.withCChars { subsystem in
            name.category.withCChars { category in
                qs_record_signpost_log(
                    number, subsystem.baseAddress, subsystem.count, category.baseAddress, category.count)
            }
        }
    }
}
