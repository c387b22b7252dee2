"""Newly admitted URLs: in memory by host and template, and in an append-only log.

A sorted store would write every URL to its place, and the links of one page go to a hundred hosts in a hundred places.
Here a commit writes one row, however many hosts it concerns. When many URLs have gathered, they are poured into a
sorted run (:mod:`paberki.crawl.frontier.backlog`) and the log starts again.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

PACKET = 100
"""Most URLs in a packet."""
PAGE, SITEMAP, FEED = 0, 1, 2


class QueueSlot(NamedTuple):
    """Where a URL waits: its host and template, and its rank among the URLs there, lowest first."""

    host: int
    template: int
    rank: int
    depth: int
    kind: int = PAGE


class Packet:
    """URLs of one slot and scheme that were admitted at about the same time."""

    __slots__ = ("form", "id", "logged_count", "paths", "slot")

    def __init__(self, number: int, slot: QueueSlot, secure: bool, paths: list[str]) -> None:
        self.id, self.slot, self.paths = number, slot, paths
        self.form = slot.kind << 1 | secure
        """Kind (page, sitemap or feed) and, in the lowest bit, whether the scheme is https."""
        self.logged_count = 0
        """Number of paths already in the log."""


_PacketPlace = tuple[int, int, Packet]
"""Rank and number of a packet, by which the packets of a template are ordered, and the packet."""


class Arrivals:
    """Packets that are not in a run yet; :meth:`save` writes them in the caller's transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.execute("CREATE TABLE IF NOT EXISTS arrival (lines TEXT)")
        db.execute("CREATE TABLE IF NOT EXISTS departure (id INTEGER PRIMARY KEY)")
        self.count = 0
        """URLs in all packets."""
        self._open: tuple[dict[QueueSlot, Packet], dict[QueueSlot, Packet]] = ({}, {})
        self._packets: dict[int, dict[int, list[_PacketPlace]]] = {}
        """A heap for each template of each host."""
        self._grown_packets: list[Packet] = []
        self._load()

    def add(self, urls: Iterable[tuple[QueueSlot, str]], number: int) -> int:
        """Put normalised URLs into packets, numbering new packets from ``number``; return the next free number."""
        plain, secure = self._open
        grown_packets = self._grown_packets
        for slot, url in urls:
            is_secure = url[4] == "s"
            packet = (secure if is_secure else plain).get(slot)
            if packet is None or len(packet.paths) >= PACKET:
                packet = self._begin(number, slot, is_secure)
                number += 1
            elif packet.logged_count == len(packet.paths):
                grown_packets.append(packet)
            packet.paths.append(url[url.index("/", 8) :])
            self.count += 1
        return number

    def _begin(self, number: int, slot: QueueSlot, secure: bool) -> Packet:
        packet = self._open[secure][slot] = Packet(number, slot, secure, [])
        self._grown_packets.append(packet)
        self._keep(packet)
        return packet

    def first(self, host: int, template: int) -> tuple[int, int] | None:
        """Rank and number of the first packet of a host's template."""
        packets = self._of(host).get(template)
        return packets[0][:2] if packets else None

    def take(self, host: int, template: int) -> Packet:
        """Take out the first packet of a host's template."""
        templates = self._packets[host]
        packet = heapq.heappop(templates[template])[2]
        if not templates[template]:
            del templates[template]
        if not templates:
            del self._packets[host]
        self._leave(packet)
        return packet

    def of(self, host: int) -> Iterator[tuple[int, str]]:
        """Form and path of every URL of a host."""
        for packets in self._of(host).values():
            for _, _, packet in packets:
                for path in packet.paths:
                    yield packet.form, path

    def drop(self, host: int) -> None:
        """Take out all packets of a host."""
        for packets in self._packets.pop(host, {}).values():
            for _, _, packet in packets:
                self._leave(packet)

    def save(self) -> None:
        """Log the URLs since the last call; to be called right before a commit."""
        lines: list[str] = []
        for packet in self._grown_packets:
            if packet.logged_count < len(packet.paths):
                slot = packet.slot
                lines.append(f"{packet.id} {slot.host} {slot.template} {slot.rank} {slot.depth} {packet.form}")
                lines += packet.paths[packet.logged_count :]
                packet.logged_count = len(packet.paths)
        self._grown_packets.clear()
        if lines:
            self._db.execute("INSERT INTO arrival VALUES (?)", ("\n".join(lines),))

    def pour(self) -> list[Packet]:
        """Take out all packets, in no particular order."""
        packets = [packet for one in self._packets.values() for same in one.values() for *_, packet in same]
        self._packets.clear()
        for open_packets in self._open:
            open_packets.clear()
        self._grown_packets.clear()
        self._db.execute("DELETE FROM arrival")
        self._db.execute("DELETE FROM departure")
        self.count = 0
        return packets

    def _of(self, host: int) -> dict[int, list[_PacketPlace]]:
        return self._packets.get(host, {})

    def _keep(self, packet: Packet) -> None:
        packets = self._packets.setdefault(packet.slot.host, {}).setdefault(packet.slot.template, [])
        heapq.heappush(packets, (packet.slot.rank, packet.id, packet))

    def _leave(self, packet: Packet) -> None:
        open_packets = self._open[packet.form & 1]
        if open_packets.get(packet.slot) is packet:
            del open_packets[packet.slot]
        self.count -= len(packet.paths)
        if packet.logged_count:
            self._db.execute("INSERT INTO departure VALUES (?)", (packet.id,))
        packet.logged_count = len(packet.paths)

    def _load(self) -> None:
        departures = {number for (number,) in self._db.execute("SELECT id FROM departure")}
        packets: dict[int, Packet] = {}
        packet = None
        for (lines,) in self._db.execute("SELECT lines FROM arrival"):
            for line in lines.split("\n"):
                if line[0] == "/":
                    assert packet is not None
                    packet.paths.append(line)
                    continue
                number, host, template, rank, depth, form = map(int, line.split())
                packet = packets.get(number)
                if packet is None:
                    packet = packets[number] = Packet(
                        number, QueueSlot(host, template, rank, depth, form >> 1), form & 1 == 1, []
                    )
        for packet in packets.values():
            if packet.id not in departures:
                packet.logged_count = len(packet.paths)
                self.count += packet.logged_count
                self._open[packet.form & 1][packet.slot] = packet
                self._keep(packet)
