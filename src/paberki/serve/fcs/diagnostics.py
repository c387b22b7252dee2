"""What an endpoint says when it cannot do what it was asked (SRU diagnostics, and those of FCS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_SRU: Final = "info:srw/diagnostic/1/"
_FCS: Final = "http://clarin.eu/fcs/diagnostic/"
_MESSAGES: Final = {
    f"{_SRU}1": "General system error",
    f"{_SRU}4": "Unsupported operation",
    f"{_SRU}5": "Unsupported version",
    f"{_SRU}6": "Unsupported parameter value",
    f"{_SRU}7": "Mandatory parameter not supplied",
    f"{_SRU}10": "Query syntax error",
    f"{_SRU}16": "Unsupported index",
    f"{_SRU}19": "Unsupported relation",
    f"{_SRU}20": "Unsupported relation modifier",
    f"{_SRU}37": "Unsupported boolean operator",
    f"{_SRU}40": "Unsupported proximity relation",
    f"{_SRU}41": "Unsupported proximity distance",
    f"{_SRU}42": "Unsupported proximity unit",
    f"{_SRU}43": "Unsupported proximity ordering",
    f"{_SRU}46": "Unsupported boolean modifier",
    f"{_SRU}48": "Query feature unsupported",
    f"{_SRU}61": "First record position out of range",
    f"{_SRU}66": "Unknown schema for retrieval",
    f"{_SRU}71": "Unsupported record packing",
    f"{_SRU}80": "Sort not supported",
    f"{_FCS}1": "Persistent identifier passed by the Client for restricting the search is invalid.",
    f"{_FCS}4": "Requested Data View not valid for this resource.",
    f"{_FCS}10": "General query syntax error.",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic."""

    uri: str
    details: str = ""

    @property
    def message(self) -> str:
        """What the number means."""
        return _MESSAGES.get(self.uri, "")


def sru(number: int, details: str = "") -> Diagnostic:
    """A diagnostic of SRU."""
    return Diagnostic(f"{_SRU}{number}", details)


def fcs(number: int, details: str = "") -> Diagnostic:
    """A diagnostic of FCS."""
    return Diagnostic(f"{_FCS}{number}", details)


class SruError(Exception):
    """Ends a request: its answer holds these diagnostics and nothing else."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[0].uri)
        self.diagnostics = diagnostics
