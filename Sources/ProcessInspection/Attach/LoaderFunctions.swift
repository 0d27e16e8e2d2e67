import CKernel
import Symbolication

/// The functions of libc in a process that the loader calls.
struct LoaderFunctions {
    /// Their addresses in the process.
    let addresses: qs_loader_functions

    private static let names: Set = [
        "pthread_create", "dlopen", "dlsym", "dlerror", "pthread_detach", "pthread_self", "__errno_location",
    ]

    /// Finds the functions in the file of libc that the process has mapped. Nil when one is missing: before glibc 2.34,
    /// some were in other libraries.
    init?(in libraries: [ProcessImages.Loaded]) {
        for loaded in libraries {
            // Another file at the path would have other addresses.
            guard let file = ELFFile(path: loaded.image.path), file.buildID ?? "" == loaded.image.buildID else {
                continue
            }
            let found = file.exportedFunctions(named: Self.names)
            func address(_ name: String) -> UInt64? { found[name].map { $0 &+ loaded.image.base } }
            guard let create = address("pthread_create"), let open = address("dlopen"), let symbol = address("dlsym"),
                let error = address("dlerror"), let detach = address("pthread_detach"),
                let own = address("pthread_self"), let errno = address("__errno_location")
            else { continue }
            addresses = qs_loader_functions(
                pthread_create: create, dlopen: open, dlsym: symbol, dlerror: error, pthread_detach: detach,
                pthread_self: own, errno_location: errno)
            return
        }
        return nil
    }
}
