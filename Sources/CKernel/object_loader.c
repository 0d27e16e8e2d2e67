// Code that opens a shared object in another process.
//
//	stopped thread   begin: mmap a page for the result, pthread_create(thread), trap
//	new thread       dlopen, dlsym, the entry function; stores the result; waits until it was read; unmaps the page
//
// The code is position-independent, and only reads its data, which follow it in memory that the process cannot write.
// It calls functions of the process by their addresses.
#include "CKernel.h"

#include <stdio.h>
#include <string.h>

// Behind the code. The assembly has the same offsets.
struct loader_data {
	struct qs_loader_functions functions; // 0
	uint64_t path, entry;                 // 56, 64: addresses of the texts
	uint64_t pause[2];                    // 72: struct timespec
};

// In the page of the process.
struct loader_result {
	uint64_t data;         // 0
	uint32_t state;        // 8: enum qs_loader_state
	uint32_t is_read;      // 12: set by this process
	int32_t value;         // 16: of the entry function
	int32_t tid;           // 20
	char message[256];     // 24: of dlerror
};

_Static_assert(sizeof(struct qs_loader_functions) == 56 && sizeof(struct loader_data) == 88, "offsets of the assembly");
_Static_assert(__builtin_offsetof(struct loader_result, message) == 24, "offsets of the assembly");

#if defined(__x86_64__)

// The new thread ends by itself after 30,000 pauses of 1 ms, if this process has ended.
__asm__(
	".pushsection .rodata\n"
	".balign 16\n"
	"qs_loader_begin:\n"
	"	mov %rdi, %rbx\n"
	"	call *48(%rbx)\n"              // __errno_location
	"	mov %rax, %r12\n"
	"	mov (%r12), %r13d\n"
	"	xor %edi, %edi\n"
	"	mov $4096, %esi\n"
	"	mov $3, %edx\n"                // PROT_READ | PROT_WRITE
	"	mov $0x22, %r10d\n"            // MAP_PRIVATE | MAP_ANONYMOUS
	"	mov $-1, %r8\n"
	"	xor %r9d, %r9d\n"
	"	mov $9, %eax\n"                // mmap
	"	syscall\n"
	"	cmp $-4096, %rax\n"
	"	ja 2f\n"
	"	mov %rax, %rbp\n"
	"	mov %rbx, (%rbp)\n"
	"	sub $16, %rsp\n"
	"	mov %rsp, %rdi\n"
	"	xor %esi, %esi\n"
	"	lea qs_loader_thread(%rip), %rdx\n"
	"	mov %rbp, %rcx\n"
	"	call *0(%rbx)\n"               // pthread_create
	"	test %eax, %eax\n"
	"	jz 1f\n"
	"	mov %eax, %r14d\n"
	"	mov %rbp, %rdi\n"
	"	mov $4096, %esi\n"
	"	mov $11, %eax\n"               // munmap
	"	syscall\n"
	"	mov %r14d, %eax\n"
	"	neg %rax\n"
	"	jmp 2f\n"
	"1:	mov %rbp, %rax\n"
	"2:	mov %r13d, (%r12)\n"
	"qs_loader_trap:\n"
	"	int3\n"
	"qs_loader_thread:\n"
	"	endbr64\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	mov %rdi, %rbx\n"
	"	mov (%rbx), %r12\n"
	"	mov $186, %eax\n"              // gettid
	"	syscall\n"
	"	mov %eax, 20(%rbx)\n"
	"	call *40(%r12)\n"              // pthread_self
	"	mov %rax, %rdi\n"
	"	call *32(%r12)\n"              // pthread_detach
	"	mov 56(%r12), %rdi\n"
	"	mov $2, %esi\n"                // RTLD_NOW, and RTLD_LOCAL
	"	call *8(%r12)\n"               // dlopen
	"	test %rax, %rax\n"
	"	jz 3f\n"
	"	mov %rax, %rdi\n"
	"	mov 64(%r12), %rsi\n"
	"	call *16(%r12)\n"              // dlsym
	"	test %rax, %rax\n"
	"	jz 3f\n"
	"	call *%rax\n"
	"	mov %eax, 16(%rbx)\n"
	"	movl $1, 8(%rbx)\n"
	"	jmp 6f\n"
	"3:	call *24(%r12)\n"              // dlerror
	"	test %rax, %rax\n"
	"	jz 5f\n"
	"	xor %ecx, %ecx\n"
	"4:	mov (%rax,%rcx), %dl\n"
	"	mov %dl, 24(%rbx,%rcx)\n"
	"	test %dl, %dl\n"
	"	jz 5f\n"
	"	inc %ecx\n"
	"	cmp $255, %ecx\n"
	"	jb 4b\n"
	"5:	movl $2, 8(%rbx)\n"
	"6:	mov $30000, %r13d\n"
	"7:	cmpl $0, 12(%rbx)\n"
	"	jne 8f\n"
	"	lea 72(%r12), %rdi\n"
	"	xor %esi, %esi\n"
	"	mov $35, %eax\n"               // nanosleep
	"	syscall\n"
	"	dec %r13d\n"
	"	jnz 7b\n"
	"8:	mov %rbx, %rdi\n"
	"	mov $4096, %esi\n"
	"	mov $11, %eax\n"               // munmap
	"	syscall\n"
	"	xor %eax, %eax\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.balign 16\n"
	"qs_loader_end:\n"
	".popsection\n");

extern const char qs_loader_begin[] __attribute__((visibility("hidden")));
extern const char qs_loader_trap[] __attribute__((visibility("hidden")));
extern const char qs_loader_end[] __attribute__((visibility("hidden")));

size_t qs_loader_make(const struct qs_loader_functions *functions, const char *path, const char *entry,
	uint64_t address, void *buffer, size_t capacity, struct qs_injected_code *code)
{
	size_t code_size = (size_t)(qs_loader_end - qs_loader_begin);
	size_t path_size = strlen(path) + 1, entry_size = strlen(entry) + 1;
	size_t texts = code_size + sizeof(struct loader_data);
	if (texts + path_size + entry_size > capacity) return 0;
	struct loader_data data = {
		.functions = *functions, .path = address + texts, .entry = address + texts + path_size, .pause = {0, 1000000}};
	char *bytes = buffer;
	memcpy(bytes, qs_loader_begin, code_size);
	memcpy(bytes + code_size, &data, sizeof data);
	memcpy(bytes + texts, path, path_size);
	memcpy(bytes + texts + path_size, entry, entry_size);
	*code = (struct qs_injected_code){
		.begin = address,
		.trap = address + (uint64_t)(qs_loader_trap - qs_loader_begin),
		.argument = address + code_size,
	};
	return texts + path_size + entry_size;
}

#else

size_t qs_loader_make(const struct qs_loader_functions *functions, const char *path, const char *entry,
	uint64_t address, void *buffer, size_t capacity, struct qs_injected_code *code)
{
	(void)functions, (void)path, (void)entry, (void)address, (void)buffer, (void)capacity, (void)code;
	return 0;
}

#endif

enum qs_loader_state qs_loader_read(int pid, uint64_t page, struct qs_loader_report *report, char *message,
	size_t size)
{
	struct loader_result result;
	if (qs_process_read(pid, page, &result, sizeof result) != (int64_t)sizeof result) return QS_LOADER_GONE;
	*report = (struct qs_loader_report){.tid = result.tid, .value = result.value};
	result.message[sizeof result.message - 1] = 0;
	snprintf(message, size, "%s", result.message);
	return (enum qs_loader_state)result.state;
}

bool qs_loader_acknowledge(int pid, uint64_t page)
{
	uint32_t is_read = 1;
	uint64_t place = page + __builtin_offsetof(struct loader_result, is_read);
	return qs_process_write(pid, place, &is_read, sizeof is_read) == 0;
}
