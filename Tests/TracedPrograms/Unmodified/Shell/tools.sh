# Programs of the machine that do not use Dispatch; some may be statically linked.
/bin/true && echo true
/bin/false || echo false
env -i /bin/echo "without an environment"
ls /nonexistent-directory 2>/dev/null || echo "ls failed"
seq 1 100000 | tail -n 1
