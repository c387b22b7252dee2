"""Writes answers to the archive and remembers them in the database."""

from __future__ import annotations

from paberki.archive.warc_writer import base32
from paberki.crawl.clock import Clock, stamp
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.body import media_type
from paberki.crawl.fetching.fetch import Reply
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import QueuedUrl
from paberki.crawl.frontier.host_records import HostRecords
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.page_value import PageVerdict
from paberki.crawl.storing.captures import StoredPages, short_digest
from paberki.crawl.storing.warc_files import WarcFiles
from paberki.crawl.storing.warc_records import (
    IDENTICAL,
    NOT_MODIFIED,
    payload_digest,
    write_fields,
    write_opt_out,
    write_response,
    write_revisit,
)
from paberki.web.rights_signals import Signal


class Storage:
    """Writes the records of an answer."""

    def __init__(
        self,
        config: CrawlConfig,
        state: CrawlDatabase,
        warcs: WarcFiles,
        captures: StoredPages,
        hosts: HostRecords,
        stats: CrawlStats,
        clock: Clock,
        *,
        recrawl: bool,
    ) -> None:
        self._config = config
        self._db = state.db
        self._warcs = warcs
        self._captures = captures
        self._hosts = hosts
        self._stats = stats
        self._clock = clock
        self._recrawl = recrawl

    def store(self, entry: QueuedUrl, reply: Reply, verdict: PageVerdict | None = None) -> bool:
        """Write a response, or a revisit record for a known payload; return whether the page is new or has changed."""
        before = self._captures.of(reply.url) if self._recrawl else None
        digest = verdict.digest if verdict else b""
        archived_digest = "sha1:" + base32(digest) if digest else payload_digest(reply.body)
        if before is not None and digest and before.digest == short_digest(digest):
            self._revisit(reply, IDENTICAL, reply.url, before.date, archived_digest)
            self._captures.note_unchanged(reply.url)
            self._stats.unchanged += 1
            return False
        twin = verdict is not None and verdict.twin and before is None
        may_be_copy = digest and (twin or self._config.revisit_copies)
        holder = self._captures.holder(short_digest(digest)) if may_be_copy else None
        if holder is not None and reply.body:
            host, form, path, time = holder
            url = f"{'https' if form & 1 else 'http'}://{self._hosts.by_id(host).name}{path}"
            self._revisit(reply, IDENTICAL, url, stamp(time), archived_digest)
            if twin:
                return True
        elif twin and verdict is not None:
            write_fields(self._warcs.writer(self._clock.now()), reply, verdict.fields)
            return True
        else:
            fields = verdict.fields if verdict else ()
            place = write_response(self._warcs.writer(self._clock.now()), reply, archived_digest, fields)
            self._index(reply, place, media_type(reply.header("content-type")), archived_digest)
        self._stats.stored += 1
        self._stats.pages += reply.status == 200
        if verdict is not None:
            self._captures.save(entry, reply, short_digest(digest), good=verdict.reading.good, before=before)
        return True

    def source(self, entry: QueuedUrl) -> None:
        """Remember a sitemap or feed for a recrawl."""
        row = (entry.host, entry.form, entry.path, entry.depth)
        self._db.execute("INSERT OR IGNORE INTO source VALUES (?, ?, ?, ?)", row)

    def file(self, reply: Reply) -> None:
        """Write the answer for a robots.txt or a file about rights."""
        archived_digest = payload_digest(reply.body)
        place = write_response(self._warcs.writer(self._clock.now()), reply, archived_digest)
        self._index(reply, place, media_type(reply.header("content-type")), archived_digest)

    def note_unchanged(self, reply: Reply) -> None:
        """Write a revisit record for a page that the server reports as not modified."""
        before = self._captures.of(reply.url)
        self._revisit(reply, NOT_MODIFIED, reply.url, before.date if before else "", "")
        self._captures.note_unchanged(reply.url)
        self._stats.unchanged += 1

    def opt_out(self, reply: Reply, signal: Signal) -> None:
        """Write that a page was not kept, and because of which statement."""
        write_opt_out(self._warcs.writer(self._clock.now()), reply, signal)
        row = (reply.url, reply.time, signal.source, signal.name, signal.value)
        self._db.execute("INSERT INTO optout VALUES (?, ?, ?, ?, ?)", row)
        self._stats.opted_out += 1

    def _revisit(self, reply: Reply, profile: str, url: str, date: str, digest: str) -> None:
        place = write_revisit(self._warcs.writer(self._clock.now()), reply, profile, url, date, digest)
        self._index(reply, place, "warc/revisit", digest)

    def _index(self, reply: Reply, place: tuple[int, int], mime: str, digest: str) -> None:
        fields = {"mime": mime, "status": str(reply.status), "digest": digest}
        self._warcs.note(reply.url, reply.time, fields, place)
