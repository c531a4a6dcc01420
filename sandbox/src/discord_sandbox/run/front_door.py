"""The sandbox's front door: one check for every request, whatever its address.

A browser lets any web page send requests to this machine. Another site's name can also be made to mean this machine
(DNS rebinding). So a request must name a loopback address and must not come from another origin's page. Bots and other
programs send neither `Origin` nor `Sec-Fetch-Site`.

Source: the Fetch standard (Origin, Cross-Origin-Resource-Policy) and W3C's Fetch Metadata Request Headers.
"""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

_OWN_PAGE: Final = frozenset({"same-origin", "none"})
"""What `Sec-Fetch-Site` says of the sandbox's own page, and of an address that a person typed."""
_HEADERS: Final = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def close_to_strangers(app: web.Application) -> None:
    """Check every request to `app`, also those to unknown addresses, and let no other site use an answer."""
    app.middlewares.append(_refuse_strangers)
    app.on_response_prepare.append(_add_headers)


def is_loopback(host: str) -> bool:
    """Whether `host` is a name or an address of this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@web.middleware
async def _refuse_strangers(request: web.Request, handler: Handler) -> web.StreamResponse:
    if not _names_this_machine(request.host):
        raise web.HTTPForbidden(text="the sandbox is for its own machine")
    if _comes_from_elsewhere(request):
        raise web.HTTPForbidden(text="the sandbox answers no other site's page")
    return await handler(request)


def _names_this_machine(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:  # for example, an IPv6 address without its second bracket
        return False


def _comes_from_elsewhere(request: web.Request) -> bool:
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        return True
    if request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate":
        return False  # a link on another page opens the page, which contains nothing secret
    return request.headers.get("Sec-Fetch-Site", "none") not in _OWN_PAGE


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
