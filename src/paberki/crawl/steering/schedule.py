"""Whose turn it is: hosts that waited out their gap, the most wanted first.

A host is in one of four places: on the timers until its gap is over, on the ready heap by its rank, parked at an IP
address that another host is using, or busy. Places are left lazily: an entry counts only while the host still carries
the same mark (``timer``, ``ready``).
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
"""Ranks below are errands and retries, which nothing holds back."""
NEWCOMER = -5.0
"""Ranks below are hosts that have still to show their first pages: a reserve of requests is for them."""
_PASS = -1
"""Hold of a host that goes on whatever the others have had."""


class Schedule:
    """Hands out hosts such that no host and no address is asked twice at once or inside its gap.

    ``rank`` says how wanted a host is now, the lowest first, or None if it has nothing to fetch; ``due`` says when
    it will have something without anything else happening.
    """

    def __init__(
        self,
        rank: Rank,
        due: Callable[[HostRecord], float | None],
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
        self._due = due
        self._address_delay = address_delay
        self._order = itertools.count()
        self._timers: list[tuple[float, int, HostRecord | IpAddress]] = []
        self._ready: list[tuple[float, int, HostRecord]] = []

    def offer(self, host: HostRecord, rank: float | None = None) -> None:
        """Say that a host may have something to fetch, of this rank if that is known."""
        if host.busy:
            return
        if host.ready is not None:
            if rank is not None and rank < host.ready:
                host.ready = rank
                heapq.heappush(self._ready, (rank, next(self._order), host))
        elif host.timer is None or host.timer > host.next:
            self._set_timer(host, host.next)

    def take(self, now: float) -> HostRecord | None:
        """The host whose turn it is, now busy; None if nobody's."""
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
                heapq.heappush(address.parked, (rank, order, host))
                continue
            if address is not None:
                if self._shared is not None and (free := self._shared.take(address.ip, now, self._longest)):
                    # Another shard is asking the address; it stays closed here until that one's gap is over.
                    address.closed = True
                    heapq.heappush(address.parked, (rank, order, host))
                    self._push_timer(free, address)
                    continue
                address.closed = True
            host.held_address, host.busy, host.ready, host.timer = address, True, None, None
            return host
        return None

    def _held_until(self, host: HostRecord, rank: float) -> int:
        """Number of requests that others are to make first; 0 if none."""
        if rank <= _URGENT or host.hold == _PASS:
            return 0
        requests = self._requests()
        if rank > NEWCOMER and self._is_reserved():
            return max(host.hold, requests + 1)
        return host.hold if host.hold > requests else 0

    def _let_in(self) -> None:
        """Hosts that were held back for so many requests may go on."""
        requests = self._requests()
        while self._held_hosts and self._held_hosts[0][0] <= requests:
            _, order, rank, host = heapq.heappop(self._held_hosts)
            heapq.heappush(self._ready, (rank, order, host))

    @property
    def held_count(self) -> int:
        """Hosts that are held back."""
        return len(self._held_hosts)

    def let_next_in(self) -> bool:
        """Nobody else has anything to do: the host that was held back least goes on; whether there is one."""
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
            reopened = now + self._address_delay if request_sent else now
            self._push_timer(reopened, address)
            if self._shared is not None:
                self._shared.give_back(address.ip, reopened)
        self.offer(host)

    def next_time(self) -> float | None:
        """When somebody's turn may come without anything else happening; None if never."""
        return self._timers[0][0] if self._timers else None

    @property
    def idle(self) -> bool:
        """Whether nobody has anything left to do."""
        return (
            not self._ready
            and not self._held_hosts
            and not any(self._matters(time, waiting) for time, _, waiting in self._timers)
        )

    @staticmethod
    def _matters(time: float, waiting: HostRecord | IpAddress) -> bool:
        return bool(waiting.parked) if isinstance(waiting, IpAddress) else waiting.timer == time

    def _pass_over(self, host: HostRecord, rank: float) -> None:
        """Drop an entry that no longer counts, and do not let it keep others from the address."""
        if not host.busy and host.ready == rank:
            host.ready = None
            self.offer(host)
        if host.address is not None and not host.address.closed:
            self._reopen(host.address)

    def _fire(self, now: float) -> None:
        while self._timers and self._timers[0][0] <= now:
            time, _, waiting = heapq.heappop(self._timers)
            if isinstance(waiting, IpAddress):
                self._reopen(waiting)
            elif waiting.timer == time:
                waiting.timer = None
                if not waiting.busy:
                    self._line_up(waiting, now)

    def _reopen(self, address: IpAddress) -> None:
        """Let the most wanted host that waits for the address through; the others stay parked."""
        address.closed = False
        while address.parked:
            rank, order, host = heapq.heappop(address.parked)
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
        elif host.awaiting is None and (due := self._due(host)) is not None:
            self._set_timer(host, max(due, host.next))

    def _set_timer(self, host: HostRecord, time: float) -> None:
        host.timer = time
        self._push_timer(time, host)

    def _push_timer(self, time: float, waiting: HostRecord | IpAddress) -> None:
        heapq.heappush(self._timers, (time, next(self._order), waiting))
