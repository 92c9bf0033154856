"""Schedule jobs: which are running, in turn, and which wait in line.

    look  ->  the job is wanted  ->  in line  ->  a place among the running  ->  turns
    no look for 10 s, or a wish to pause  ->  paused, the place is free

Running jobs take turns (round robin). The line is first come, first served, except for:
    memory   a job that holds memory passes one that waits for memory. Others are parked for a
             waiting job (jobs.py): paused jobs; and jobs that have held memory for 30 s and have
             done as many new pieces as repeated ones, so that at most half of the work is
             repeated; first those of the owner who holds most;
    owners   an owner has two places among the running; their other jobs are passed over. A job
             that several owners share may run while one of them has a place for it;
    places   when all are taken, a job that has had its place for 30 s gives it to a waiting one
             and goes to the end of the line; its progress stays. It is the longest-running job
             of the owner with most places. So 20 visits with one run each can't block the next.

Source: round-robin scheduling, in every textbook of operating systems.

Read before this: jobs.py. Read next: jobs_in_line.py.
"""

import math
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterator

from pages.server.trainer.jobs import Job, ServiceLimits


class Places:
    """The jobs that take turns, and the line of those that wait to."""

    def __init__(self, limits: ServiceLimits) -> None:
        self.limits = limits
        self.running: deque[Job] = deque()  # next turn first
        self.line: list[Job] = []
        # Generators that the trainer closes later, since closing may take long.
        self.discarded: list[Iterator | None] = []
        self._owners: dict[Job, set[Hashable]] = {}  # who wants each job to go on
        self._taken: Counter[Hashable] = Counter()  # places of each owner among the running

    def settle(self, jobs: Collection[Job], now: float) -> None:
        """Pause unwanted jobs, and start waiting jobs where there is room."""
        self._owners = {job: job.owners(now, self.limits) for job in jobs}
        for job, owners in self._owners.items():
            if not owners and job in self.running:
                self.running.remove(job)
            # An unwanted job keeps its place in line, but is passed over meanwhile.
            elif owners and job not in self.running and job not in self.line:
                self.line.append(job)
        self._taken = Counter(owner for job in self.running for owner in self._owners[job])
        self._send_back()
        self._let_in(now)

    def next_turn(self) -> Job | None:
        """Return the job whose turn it is, and move it to the end."""
        if not self.running:
            return None
        self.running.rotate(-1)
        return self.running[-1]

    def leave(self, job: Job) -> None:
        """Remove an ended job from the running and the line."""
        for place in (self.running, self.line):
            if job in place:
                place.remove(job)

    def place_in_line(self, job: Job) -> int:
        """Return a waiting job's place, from 1; 0 if its owners' other jobs block it."""
        ahead = [other for other in self.line if self._may_run(other)]
        return ahead.index(job) + 1 if job in ahead else 0

    def _may_run(self, job: Job) -> bool:
        """Return whether an owner who wants the job has a place for it."""
        most = self.limits.most_running_of_owner
        return any(self._taken[owner] < most for owner in self._owners.get(job, ()))

    def _send_back(self) -> None:
        """Take places from owners who have too many, after joining others' jobs."""
        for job in reversed(list(self.running)):
            most = self.limits.most_running_of_owner
            if all(self._taken[owner] > most for owner in self._owners[job]):
                self._lose_place(job)

    def _let_in(self, now: float) -> None:
        is_memory_short = False
        for job in [job for job in self.line if self._may_run(job)]:
            if not self._may_run(job):
                continue  # the one before it took the owner's last place
            if not job.holds_memory:
                if is_memory_short or not self._free_memory(job, now):
                    is_memory_short = True  # smaller jobs wait too, or the large one would starve
                    continue
            if len(self.running) >= self.limits.most_running and not self._free_place(now):
                return
            self._begin(job, now)

    def _begin(self, job: Job, now: float) -> None:
        self.line.remove(job)
        if not job.has_begun:
            job.has_begun, job.memory_since = True, now
        job.running_since = now
        self.running.append(job)
        self._taken.update(self._owners[job])

    def _free_memory(self, job: Job, now: float) -> bool:
        """Park others until a job's memory is free; park none if that would not be enough."""
        holding = [one for one in self._owners if one.holds_memory]
        held: Counter[Hashable] = Counter()
        for one in holding:
            held.update(dict.fromkeys(self._owners[one], one.cost))

        def claim(one: Job) -> tuple[float, float]:
            most = min((held[owner] for owner in self._owners[one]), default=math.inf)
            return -most, one.memory_since

        spare = sorted((one for one in holding if self._may_park(one, now)), key=claim)
        n_parked = 0
        while held_bytes([job, *holding]) > self.limits.most_bytes:
            if n_parked == len(spare):
                return False
            holding.remove(spare[n_parked])
            n_parked += 1
        for one in spare[:n_parked]:
            if one in self.running:
                self._lose_place(one)
            self.discarded.append(one.park())
        return True

    def _may_park(self, job: Job, now: float) -> bool:
        has_had_long = now - job.memory_since >= self.limits.place_seconds
        is_worth_it = has_had_long and job.n_pieces >= 2 * job.n_to_repeat
        return not job.is_at_work and (is_worth_it or not self._owners[job])

    def _free_place(self, now: float) -> bool:
        """Send the job that has to give its place to the end of the line, if there is one."""
        long = [j for j in self.running if now - j.running_since >= self.limits.place_seconds]

        def claim(job: Job) -> tuple[int, float]:
            return -min(self._taken[owner] for owner in self._owners[job]), job.running_since

        if long:
            self._lose_place(min(long, key=claim))
        return bool(long)

    def _lose_place(self, job: Job) -> None:
        self.running.remove(job)
        self._taken.subtract(self._owners[job])
        self.line.append(job)


def held_bytes(jobs: Collection[Job]) -> int:
    """Return the memory of jobs; only one of them at a time needs its `extra`."""
    return sum(job.cost + job.kept for job in jobs) + max((job.extra for job in jobs), default=0)
