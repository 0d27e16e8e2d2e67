import Glibc

/// A process that can open a shared object while it runs.
struct AttachTarget {
    let process: RunningProcess
    /// The libraries, as they are mapped at this time.
    let images: ProcessImages
    /// Addresses of the functions of its libc that the loader calls.
    let functions: LoaderFunctions

    private static let libc = "libc.so.6"
    private static let linker = "ld-linux-x86-64.so"
    private static let libdispatch = "libdispatch.so"

    /// Checks that an object can be loaded into a process.
    ///
    /// - Parameters:
    ///   - pid: the process.
    ///   - object: the file name of the object, which the process must not have.
    /// - Throws: ``InspectionError`` with the reason and the remedy. The code is `notLoaded` if the process may only
    ///   need more time.
    init(_ pid: Int32, object: String) throws(InspectionError) {
        if pid == getpid() {
            throw InspectionError(
                code: .notAttachable, sentence: "process \(pid) is this command itself. Name another process")
        }
        #if !arch(x86_64)
            throw InspectionError(
                code: .unsupported,
                sentence: "queuescope loads its library into running processes on x86-64 only. Start the program with "
                    + "LD_PRELOAD=\(object) or with queuescope record")
        #endif
        process = try RunningProcess(pid)
        images = ProcessImages(of: process, memory: ProcessMemory(process))
        let obstacles = AttachObstacles(of: process)
        if let sentence = obstacles.ofState { throw InspectionError(code: .notAttachable, sentence: sentence) }
        if let sentence = obstacles.ofProgram(images: images) {
            throw InspectionError(code: .notAttachable, sentence: sentence)
        }
        let description = obstacles.description
        if images.loaded.contains(where: { $0.name == object }) {
            throw InspectionError(
                code: .notAttachable,
                sentence: "\(description) has the recorder, and its control socket is closed: it was started with "
                    + "QUEUESCOPE_CONTROL=0, or is a forked child. Start it again without this variable")
        }
        guard images.named(Self.libc).first != nil, images.named(Self.linker).first != nil else {
            throw InspectionError(
                code: .notLoaded,
                sentence: "\(description) has not loaded its libraries yet. Repeat the command when it has started")
        }
        guard images.named(Self.libdispatch).first != nil else {
            throw InspectionError(
                code: .notLoaded,
                sentence: "\(description) does not use libdispatch.so, so it has no queues to record. A program that "
                    + "is linked with -static-stdlib needs the interposer: queuescope link-flags prints the flags")
        }
        guard let found = LoaderFunctions(in: images.named(Self.libc)) else {
            throw InspectionError(
                code: .notAttachable,
                sentence: "\(description) has a libc without dlopen and pthread_create. glibc 2.34 or later is needed; "
                    + "start the program with queuescope record")
        }
        functions = found
    }

    /// The ranges of the data of libc and of the dynamic linker, which contain the locks of malloc, stdio and dlopen.
    var systemData: [Range<UInt64>] { (images.named(Self.libc) + images.named(Self.linker)).map(whole) }

    /// The ranges of code that holds locks of the dynamic linker or of an allocator while it waits.
    var lockingCode: [Range<UInt64>] {
        [Self.linker, "libjemalloc", "libtcmalloc", "libmimalloc"].flatMap(images.named)
            .map { $0.image.begin..<$0.image.end }
    }

    /// The libraries that a process never unloads, in the order in which the loader looks for room.
    var permanentImages: [ProcessImages.Loaded] {
        let names = [Self.libc, Self.linker, Self.libdispatch, "libswiftCore.so", "libm.so", "libstdc++.so"]
        return names.flatMap(images.named) + images.loaded.filter { $0.path == process.executablePath }
    }

    /// An image with its zero-initialized data, which have no file.
    private func whole(_ loaded: ProcessImages.Loaded) -> Range<UInt64> {
        let next = process.maps.mapping(holding: loaded.image.end)
        let isData = next.map { $0.range.lowerBound == loaded.image.end && $0.path.isEmpty && $0.isWritable } ?? false
        return loaded.image.begin..<(isData ? next!.range.upperBound : loaded.image.end)
    }
}
