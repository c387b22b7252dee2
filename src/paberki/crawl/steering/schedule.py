"""Hands out hosts whose gap is over, the lowest rank first.

A host is in one of five places: on the timers until its gap is over, on the ready heap by rank, parked at an IP address
that another host is using, held back under a budget, or busy. Heap entries are removed lazily: an entry counts only
while the host still carries the same ``timer`` or ``ready`` value.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from paberki.crawl.frontier.host_records import HostRecord, IpAddress
from paberki.crawl.sharding.shared_limits import SharedLimits

Rank = Callable[[HostRecord, float], float | None]
_ERRAND = -1000.0
_URGENT = -50.0
"""Ranks up to this one are errands and retries, which are never held back."""
NEWCOMER = -5.0
"""Ranks up to this one are hosts without their first pages; reserved requests are for them."""
_AT_ONCE = 500
_PASS = -1
"""Value of ``hold`` for a host that does not wait for others."""


class Schedule:
    """Hands out hosts so that no host and no address gets two requests at once or one within its gap.

    ``rank`` returns the rank of a host, the lowest first, or None if it has nothing to fetch; ``due_time`` returns when it
    will have something to fetch by itself, such as a retry.
    """

    def __init__(
        self,
        rank: Rank,
        due_time: Callable[[HostRecord], float | None],
        address_delay: float,
        shared: SharedLimits | None = None,
        longest: float = 60.0,
        requests: Callable[[], int] = lambda: 0,
        is_reserved: Callable[[], bool] = lambda: False,
    ) -> None:
        self._requests, self._is_reserved = requests, is_reserved
        self._held_hosts: list[tuple[int, int, float, HostRecord]] = []
        self._shared, self._longest = shared, longest
        self._rank = rank
        self._due_time = due_time
        self._address_delay = address_delay
        self._order = itertools.count()
        self._timers: list[tuple[float, int, HostRecord | IpAddress]] = []
        self._ready: list[tuple[float, int, HostRecord]] = []

    def offer(self, host: HostRecord, rank: float | None = None) -> None:
        """Note that a host may have something to fetch, of this rank if it is known."""
        if host.busy:
            return
        if host.ready is not None:
            if rank is not None and rank < host.ready:
                host.ready = rank
                heapq.heappush(self._ready, (rank, next(self._order), host))
        elif host.timer is None or host.timer > host.next:
            self._set_timer(host, host.next)

    def take(self, now: float) -> HostRecord | None:
        """The next host, marked as busy; None if no host is ready."""
        self._fire(now)
        self._let_in()
        while self._ready:
            rank, order, host = heapq.heappop(self._ready)
            if host.ready == rank and not host.busy and (until := self._held_until(host, rank)):
                heapq.heappush(self._held_hosts, (until, order, rank, host))
                continue
            address = host.address if self._address_delay else None
            if host.busy or host.ready != rank or host.next > now:
                self._pass_over(host, rank)
                continue
            if address is not None and address.closed:
                heapq.heappush(address.parked_hosts, (rank, order, host))
                continue
            if address is not None:
                if self._shared is not None and (free := self._shared.take(address.ip, now, self._longest)):
                    # Another shard uses the address; it stays closed here until the other's gap is over.
                    address.closed = True
                    heapq.heappush(address.parked_hosts, (rank, order, host))
                    self._push_timer(free, address)
                    continue
                address.closed = True
            host.held_address, host.busy, host.ready, host.timer = address, True, None, None
            return host
        return None

    def _held_until(self, host: HostRecord, rank: float) -> int:
        """Number of the crawl's requests until which the host is held back; 0 if it is not."""
        if rank <= _URGENT or host.hold == _PASS:
            return 0
        requests = self._requests()
        if rank > NEWCOMER and self._is_reserved():
            return max(host.hold, requests + 1)
        return host.hold if host.hold > requests else 0

    def _let_in(self) -> None:
        """Return hosts to the ready heap that have been held back long enough."""
        requests = self._requests()
        while self._held_hosts and self._held_hosts[0][0] <= requests:
            _, order, rank, host = heapq.heappop(self._held_hosts)
            heapq.heappush(self._ready, (rank, order, host))

    @property
    def held_count(self) -> int:
        """Number of hosts held back."""
        return len(self._held_hosts)

    def let_next_in(self) -> bool:
        """Release the held host that is due first, when no other host is ready; return whether there is one."""
        while self._held_hosts:
            _, order, rank, host = heapq.heappop(self._held_hosts)
            if host.ready == rank and not host.busy:
                host.hold = _PASS
                heapq.heappush(self._ready, (rank, order, host))
                return True
        return False

    def release(self, host: HostRecord, now: float, *, request_sent: bool, hold: float = 0.0) -> None:
        """End a host's turn; ``request_sent`` starts the gaps of host and address."""
        host.busy = False
        address, host.held_address = host.held_address, None
        if request_sent:
            host.next = max(host.next, now + host.delay + hold)
        if address is not None:
            reopening_time = now + self._address_delay if request_sent else now
            self._push_timer(reopening_time, address)
            if self._shared is not None:
                self._shared.give_back(address.ip, reopening_time)
        self.offer(host)

    def next_time(self) -> float | None:
        """Time of the next timer; None if there is none."""
        return self._timers[0][0] if self._timers else None

    @property
    def idle(self) -> bool:
        """Whether no host has anything left to fetch; busy hosts are not counted."""
        return (
            not self._ready
            and not self._held_hosts
            and not any(self._matters(time, sleeper) for time, _, sleeper in self._timers)
        )

    @staticmethod
    def _matters(time: float, sleeper: HostRecord | IpAddress) -> bool:
        return bool(sleeper.parked_hosts) if isinstance(sleeper, IpAddress) else sleeper.timer == time

    def _pass_over(self, host: HostRecord, rank: float) -> None:
        """Drop an outdated entry, and let another host use its address."""
        if not host.busy and host.ready == rank:
            host.ready = None
            self.offer(host)
        if host.address is not None and not host.address.closed:
            self._reopen(host.address)

    def _fire(self, now: float) -> None:
        """Line up those whose time has come, some at a time: one page can name thousands of hosts."""
        for _ in range(_AT_ONCE):
            if not self._timers or self._timers[0][0] > now:
                return
            time, _, sleeper = heapq.heappop(self._timers)
            if isinstance(sleeper, IpAddress):
                self._reopen(sleeper)
            elif sleeper.timer == time:
                sleeper.timer = None
                if not sleeper.busy:
                    self._line_up(sleeper, now)

    def _reopen(self, address: IpAddress) -> None:
        """Open an address and let the parked host with the lowest rank through; the others stay parked."""
        address.closed = False
        while address.parked_hosts:
            rank, order, host = heapq.heappop(address.parked_hosts)
            if not host.busy and host.ready == rank:
                heapq.heappush(self._ready, (rank, order, host))
                return

    def _line_up(self, host: HostRecord, now: float) -> None:
        rank: float | None = None
        if host.errands:
            rank = _ERRAND
        elif host.awaiting is None:
            rank = self._rank(host, now)
        if rank is not None:
            host.ready = rank
            heapq.heappush(self._ready, (rank, next(self._order), host))
        elif host.awaiting is None and (due_time := self._due_time(host)) is not None:
            self._set_timer(host, max(due_time, host.next))

    def _set_timer(self, host: HostRecord, time: float) -> None:
        host.timer = time
        self._push_timer(time, host)

    def _push_timer(self, time: float, sleeper: HostRecord | IpAddress) -> None:
        heapq.heappush(self._timers, (time, next(self._order), sleeper))
