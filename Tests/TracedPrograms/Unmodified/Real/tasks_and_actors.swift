// A task group fetches pages for an actor that caches them, with a limit for concurrent fetches.
actor PageCache {
    private var pages: [Int: String] = [:]
    private(set) var misses = 0

    func page(_ number: Int, load: @Sendable (Int) async -> String) async -> String {
        if let page = pages[number] { return page }
        misses += 1
        let page = await load(number)
        pages[number] = page
        return page
    }
}

@MainActor
final class Progress {
    private(set) var finished = 0
    nonisolated init() {}
    func advance() { finished += 1 }
}

@main
struct Reader {
    @Sendable static func load(_ number: Int) async -> String {
        try? await Task.sleep(for: .microseconds(200))
        return (0..<200).reduce(into: "") { text, word in text += "\(number * word % 97) " }
    }

    static func main() async {
        let cache = PageCache()
        let progress = Progress()
        var length = 0
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<120 {
                if number >= 8 { length += await group.next() ?? 0 }
                group.addTask {
                    let page = await cache.page(number % 40, load: load)
                    await progress.advance()
                    return page.count
                }
            }
            for await count in group { length += count }
        }
        print("\(await progress.finished) pages, \(length) characters, \(await cache.misses >= 40)")
    }
}
