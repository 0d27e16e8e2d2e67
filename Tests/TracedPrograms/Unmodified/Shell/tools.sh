# Programs of the machine that know nothing of Dispatch, one of them statically linked or not as the machine has it.
/bin/true && echo true
/bin/false || echo false
env -i /bin/echo "without an environment"
ls /nonexistent-directory 2>/dev/null || echo "ls failed"
seq 1 100000 | tail -n 1
