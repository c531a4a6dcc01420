"""Answers only requests that a program on this machine makes for itself, and none that a web page makes it send.

A page in a browser on this machine can send requests to loopback, and another site's name can be made to mean loopback
(DNS rebinding), which lets its page read the answers. So a request must name a loopback address, and a browser must not
have sent it for another origin. Programs such as Prometheus and curl send neither `Origin` nor `Sec-Fetch-Site`.

Source: the Fetch standard (Origin) and W3C's Fetch Metadata Request Headers.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler


@web.middleware
async def refuse_strangers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer 403 to a request that names another host or comes from a page of another origin."""
    if not _names_loopback(request.host):
        raise web.HTTPForbidden(text="use 127.0.0.1 or localhost\n")
    if _is_from_a_page(request):
        raise web.HTTPForbidden(text="not for web pages\n")
    return await handler(request)


def _names_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:  # a name that is no address, or an IPv6 address without its second bracket
        return False


def _is_from_a_page(request: web.Request) -> bool:
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        return True
    return request.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"}
