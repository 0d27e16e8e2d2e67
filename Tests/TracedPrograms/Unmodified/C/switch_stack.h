/* A coroutine as libraries implement it: the saved stack pointers of the caller and of the coroutine. */
#pragma once

static void *caller_stack, *coroutine_stack;

__attribute__((naked, noinline)) static void switch_stack(
	__attribute__((unused)) void **from, __attribute__((unused)) void **to)
{
	__asm__("pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
		"movq %rsp, (%rdi); movq (%rsi), %rsp\n"
		"popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp; ret");
}
