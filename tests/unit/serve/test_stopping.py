"""What happens to answers that are not ready when the server must end."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from paberki.serve import create_app
from paberki.serve.service import ServiceCall, endpoint
from smallcorpus import make_index


@pytest.mark.parametrize("is_stopping", [True, False])
def test_an_answer_that_is_cut_off_says_that_the_server_ends(tmp_path: Path, is_stopping: bool) -> None:
    make_index(tmp_path)
    app, go_on = create_app([tmp_path / "index"]), threading.Event()

    def answer(call: ServiceCall) -> Response:
        go_on.wait(20)
        return Response("late")

    async def ask() -> Response:
        scope = {"type": "http", "app": app, "method": "GET", "headers": [], "path": "/", "query_string": b""}
        task = asyncio.ensure_future(endpoint(answer)(Request(scope)))
        await asyncio.sleep(0.05)
        if is_stopping:
            app.state.service.stop()
        task.cancel()
        try:
            return await task
        finally:
            go_on.set()

    if is_stopping:
        response = asyncio.run(ask())
        assert response.status_code == 503
        assert b"stopped" in response.body
    else:
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(ask())
