"""``python -m paberki.demo``: serve the mini-web for people who want to look at it."""

from __future__ import annotations

import argparse
import contextlib
import time

from paberki.demo.web import MiniWeb


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m paberki.demo", description="Serve the mini-web on loopback.")
    parser.add_argument("--port", type=int, default=0, help="port to use (default: a free one)")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt), MiniWeb(port=arguments.port) as web:
        print("Names under .test are known to paberki only; in a browser use the addresses:\n")
        for host, address in sorted(web.addresses.items()):
            print(f"  http://{address.ip}:{address.port}/   {host}")
        print("\nCtrl-C ends.", flush=True)
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()
