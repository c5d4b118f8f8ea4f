"""What a process of answers may do.

Limits of memory, time, files and processes, which every system has; on Linux also Landlock, by which the process sees
no files but those named, and seccomp, by which it starts no other process, signals none and opens no connection. Both
hold for root, too. MISSING says in sentences what this machine cannot prevent.

A call of confine() is for a child between fork and exec: it holds for the program that follows."""

import ctypes
import glob
import os
import platform
import resource
import struct
import sys
import sysconfig

libc = ctypes.CDLL(None, use_errno=True)

# Numbers of system calls and of machines, and bits of rights, as the headers of Linux have them.
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1, 2, 4, 8, 1 << 14
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
FILE_RIGHTS = [0, 13, 14, 15, 15, 16]  # how many there are, by the version of Landlock; from 5 on 16
PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP, PR_SET_SECCOMP, SECCOMP_FILTER = 38, 24, 22, 2
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # EPERM, ENOSYS
NUMBER, MACHINE, FIRST = 0, 4, 16  # where struct seccomp_data has them
CLONE_THREAD = 0x10000
MACHINES = {
    # fork, vfork; kill, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_open; ptrace, process_vm_readv,
    # process_vm_writev; socket; io_uring_setup; and, since Landlock allows them, chmod, fchmod, fchmodat, fchmodat2,
    # chown, fchown, lchown, fchownat
    "x86_64": {"machine": 0xC000003E, "clone": 56, "clone3": 435, "tgkill": 234,
               "refused": [57, 58, 62, 200, 129, 297, 434, 101, 310, 311, 41, 425, 90, 91, 268, 452, 92, 93, 94, 260]},
    "aarch64": {"machine": 0xC00000B7, "clone": 220, "clone3": 435, "tgkill": 131,
                "refused": [129, 130, 138, 240, 434, 117, 270, 271, 198, 425, 52, 53, 452, 55, 54]},
}

# What every program, the interpreter, and a compiler read.
LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/etc/ld.so.cache", "/dev/null", "/dev/urandom"]
PYTHON = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.realpath(sys.executable),
          *glob.glob(os.path.join(sysconfig.get_config_var("LIBDIR") or sys.base_prefix, "libpython*"))]
COMPILER = ["/usr", "/bin", "/opt"]


def landlock_version():
    if sys.platform != "linux":
        return 0
    return max(0, libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1))


def missing():
    if landlock_version() < 3:
        yield "answers can read and change the files that you can: the system has no Landlock (Linux 6.2)"
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        yield ("answers can start processes and open connections: seccomp is known here for Linux on " +
               " and ".join(MACHINES))


MISSING = list(missing())


def see_only(readable, writable):
    """No file but those in these folders, and no connection, as far as the kernel knows of it."""
    version = landlock_version()
    if version == 0:
        return
    rights = (1 << FILE_RIGHTS[min(version, 5)]) - 1
    ruleset = struct.pack("QQQ", rights, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = libc.syscall(LANDLOCK_CREATE, ruleset, ctypes.c_size_t(size), 0)
    for path in [*readable, *writable]:
        try:
            opened = os.open(path, os.O_PATH)
        except OSError:  # this system has no such folder
            continue
        allowed = rights if path in writable else EXECUTE | READ_FILE | READ_DIR
        allowed &= rights if os.path.isdir(path) else OF_FILES & rights
        libc.syscall(LANDLOCK_ADD, rules, 1, struct.pack("=Qi", allowed, opened), 0)
        os.close(opened)
    if libc.syscall(LANDLOCK_RESTRICT, rules, 0) != 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    os.close(rules)


def refuse_calls():
    """No process but this one: it starts none, signals none and connects to none; and no change of who may do what
    with a file. Threads are allowed."""
    here = MACHINES.get(platform.machine())
    if sys.platform != "linux" or here is None:
        limit("RLIMIT_NPROC", 0)  # which does not hold for root
        return

    def step(code, value, yes=0, no=0):
        return struct.pack("HBBI", code, yes, no, value)
    steps = [step(LOAD, MACHINE), step(EQUAL, here["machine"], 1), step(RETURN, REFUSE), step(LOAD, NUMBER),
             step(ANY_BIT, 1 << 30, 0, 1), step(RETURN, REFUSE),  # the numbers of x32
             step(EQUAL, here["clone3"], 0, 1), step(RETURN, UNKNOWN)]  # the C library then takes clone
    for number in here["refused"]:
        steps += [step(EQUAL, number, 0, 1), step(RETURN, REFUSE)]
    steps += [step(EQUAL, here["clone"], 0, 3), step(LOAD, FIRST), step(ANY_BIT, CLONE_THREAD, 4), step(RETURN, REFUSE),
              step(EQUAL, here["tgkill"], 0, 2), step(LOAD, FIRST), step(EQUAL, os.getpid(), 0, 1),  # as abort() does
              step(RETURN, ALLOW), step(RETURN, REFUSE)]
    code = ctypes.create_string_buffer(b"".join(steps))
    program = struct.pack("HP", len(steps), ctypes.addressof(code))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def limit(name, value):
    """Where the system has the limit."""
    try:
        resource.setrlimit(getattr(resource, name), (value, value))
    except (AttributeError, OSError, ValueError):
        pass


def confine(seconds, memory, readable, writable=(), file_size=0, processes=False):
    """memory and file_size in MiB; processes: whether the process may start others."""
    limit("RLIMIT_CPU", int(seconds) + 2)  # the judge's clock comes first
    limit("RLIMIT_AS", memory << 20)
    limit("RLIMIT_FSIZE", file_size << 20)
    limit("RLIMIT_CORE", 0)
    limit("RLIMIT_NOFILE", 256)
    if sys.platform == "linux":
        for capability in range(64):  # what root has of its own
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        see_only([*LIBRARIES, *readable], ["/dev/null", *writable])
    if not processes:
        refuse_calls()
