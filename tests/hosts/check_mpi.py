"""The parts of docs/examples/mpi/ give the same bits for any number of processes, also after one of them was killed and
the job went on from its last snapshot; and those of one process that knows nothing of parts.

    check_mpi.py MPIRUN PROGRAM    no PROGRAM: it could not be built here
"""

import os
import subprocess
import sys
import tempfile

SKIPPED = 77
RUN = ["9", "0.8", "400"]
SYSTEMS = ["deflection", "separate-buffers"]


def start(mpirun, processes, program, system, *more):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    return subprocess.run([mpirun, "-n", str(processes), program, system, *RUN, *more], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=240)


def result_of(done):
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def in_one_process(system):
    import cubenet
    more = {} if system == "deflection" else {"slotted": True}
    scenario = cubenet.Scenario(cubenet.Topology.hypercube(int(RUN[0])), system, load=float(RUN[1]),
                                warmup_cycles=int(RUN[2]) // 4, **more)
    network = scenario.open()
    network.step(int(RUN[2]) * 5 // 4)
    result = network.result()
    return "".join(f"{name} {result[name]:.17g} {result.half_width(name):.17g}\n" for name in result)


def killed_and_resumed(mpirun, program, system, processes):
    with tempfile.TemporaryDirectory() as folder:
        killed = start(mpirun, processes, program, system, folder, "120", str(processes - 1), "310")
        if killed.returncode == 0 or killed.stdout:
            yield "a killed process leaves a result"
        files = sorted(os.listdir(folder))
        expected = sorted(["latest"] + [f"part-{p}-240" for p in range(processes)])
        if files != expected:
            yield f"it left {files}, not {expected}"
        yield result_of(start(mpirun, processes, program, system, folder, "120"))


def check(mpirun, program, system):
    alone = result_of(start(mpirun, 1, program, system))
    for processes in (2, 4):
        if result_of(start(mpirun, processes, program, system)) != alone:
            yield f"{processes} processes: another result"
    *said, resumed = killed_and_resumed(mpirun, program, system, 4)
    yield from said
    if resumed != alone:
        yield "another result after a kill"
    if "CUBENET_LIBRARY" in os.environ and sorted(in_one_process(system).splitlines()) != sorted(alone.splitlines()):
        yield "another result in one process"


def main(mpirun=None, program=None):
    if program is None:
        print("skipped: there is no MPI (libopenmpi-dev, openmpi-bin) here")
        sys.exit(SKIPPED)
    problems = [f"{system}: {problem}" for system in SYSTEMS for problem in check(mpirun, program, system)]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main(*sys.argv[1:])
