import Dispatch

actor Counter {
    private var value = 0
    func next() -> Int {
        value += 1
        return value
    }
}

@_cdecl("run") public func run() {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = await counter.next() } }
        }
        print(await counter.next())
        done.signal()
    }
    done.wait()
}
