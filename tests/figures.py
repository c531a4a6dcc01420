"""Figures of the bot as a test reads them."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from bot.ops.metrics import Metrics


def read(text: str) -> dict[str, float]:
    """Every sample of a page, by its name and labels."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {
        sample.name + ",".join(f" {key}={value}" for key, value in sample.labels.items()): sample.value
        for sample in samples
    }


def now(metrics: Metrics) -> dict[str, float]:
    """Every sample as it is now, of a bot that plays no match."""
    return read(metrics.text(0).decode())
