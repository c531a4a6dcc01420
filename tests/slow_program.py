"""A program whose event loop stands still for longer than asyncio's development mode lets pass in silence."""

from __future__ import annotations

import asyncio
import logging
import time


async def main() -> None:
    time.sleep(0.2)  # noqa: ASYNC251  the loop is to stand still
    logging.getLogger("asyncio").warning("another line")


if __name__ == "__main__":
    asyncio.run(main())
