// Four threads take turns to hold a Mutex of Synchronization for a long time, so that the others wait in the kernel.
// Compiled with frame pointers, as SwiftPM does.
//: link -Xcc -fno-omit-frame-pointer
import Dispatch
import Glibc
import Synchronization

final class Account: Sendable {
    let balance = Mutex(0)
}

let account = Account()

@inline(never)
func deposit() {
    account.balance.withLock { balance in
        balance += 1
        usleep(2_000)
    }
}

DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<25 { deposit() }
}
print("balance \(account.balance.withLock { $0 })")
