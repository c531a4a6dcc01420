"""The dials of the weather: which faults a simulation has, and how strong. As they come, it is calm.

A rate "per hour" is the mean number in a virtual hour, at moments of chance; 0 turns the fault off. A share is from 0
to 1. Times are in virtual seconds.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weather:
    """One setting of all dials. Each is independent."""

    # Hostile people.
    hostiles: int = 0
    """Accounts in the first server that use every command and press, beside honest people."""
    hostile_pace: float = 30.0
    """Seconds between two of their acts, on average, outside of bursts."""

    # The network between the bot and Discord, each way.
    latency: float = 0.02
    """The longest ordinary time that a piece of data takes; the shortest is a quarter of it."""
    tail: float = 0.0
    """The share of data that takes `tail_factor` times as long."""
    tail_factor: float = 10.0
    cuts: float = 0.0
    """Connections reset per hour: any one that is open, at both ends."""
    silences: float = 0.0
    """Connections per hour on which nothing arrives any more, in either direction, for `silence_seconds`."""
    silence_seconds: float = 90.0
    one_way_losses: float = 0.0
    """Connections per hour that lose all that goes one way, until somebody gives them up."""
    connection_refusals: float = 0.0
    """The share of new connections that are refused."""
    outages: float = 0.0
    """Times per hour that all lines are cut, and new ones are refused for `outage_seconds`."""
    outage_seconds: float = 60.0

    # Discord itself.
    rate_limits: bool = False
    """Whether Discord's own rate limits count."""
    rate429: float = 0.0
    """The share of requests that are answered with 429, without effect."""
    rate5xx: float = 0.0
    """The share of requests that are answered with 500 to 504; half of them had their effect."""
    lost_answers: float = 0.0
    """The share of requests that have their effect, and whose answer never comes: the connection is cut instead."""
    event_delays: float = 0.0
    """The share of gateway events that come late or after the next one."""
    event_repeats: float = 0.0
    """The share of gateway events that come twice."""
    session_losses: float = 0.0
    """Sessions per hour that end with a connection and cannot be resumed."""
    reconnect_requests: float = 0.0
    """Times per hour that Discord asks for a new connection."""
    server_outages: float = 0.0
    """Times per hour that a server is unavailable for `server_outage_seconds`."""
    server_outage_seconds: float = 120.0
    guild_leaves: float = 0.0
    """Times per hour that the bot is removed from a server, and added again after `guild_return_seconds`."""
    guild_return_seconds: float = 900.0
    hidden_channels: float = 0.0
    """Times per hour that the bot loses the right to see a channel, for `hidden_seconds`."""
    hidden_seconds: float = 300.0
    deleted_channels: float = 0.0
    deleted_boards: float = 0.0
    """Channels and boards that a moderator deletes, per hour."""

    # The bot's process and machine.
    kills: float = 0.0
    """Clusters of kills per hour. In a cluster the process is killed `kills_in_a_row` times at any step, and starts
    again."""
    kills_in_a_row: int = 3
    kill_pause: float = 20.0
    """The longest time between two kills of a cluster."""
    power_cuts: float = 0.0
    """Per hour: as a kill, but what was not synced is lost from some write on (`vfs.py`)."""
    restarts: float = 0.0
    """Times per hour that the process is told to stop, and starts again when it has ended."""
    restart_pause: float = 5.0
    """The longest time from an end or a kill to the next start."""
    standstills: float = 0.0
    """Times per hour that the process does nothing for up to `standstill_seconds`."""
    standstill_seconds: float = 30.0
    second_bots: float = 0.0
    """Times per hour that a second process with the same token starts, on a folder of its own, for a minute."""
    processes: int = 1
    """Processes of the bot, on one database. Two serve half of the shards each, and the others are spares."""
    database_cuts: float = 0.0
    """Times per hour that one of several processes does not reach the database, for up to `database_cut_seconds`."""
    database_cut_seconds: float = 40.0
    step_cost: float = 0.0
    """Virtual seconds that each step of the bot takes; once in a while a spell is a hundred times as slow."""
    clock_skew: float = 0.0
    """Seconds that the bot's machine is ahead of Discord's time, from the start."""
    clock_steps: float = 0.0
    """Times per hour that the machine's time of day jumps by `clock_step_seconds`, forwards or back."""
    clock_step_seconds: float = 3600.0

    # The disk.
    disk_latency: float = 0.002
    """The longest time that a piece of work of the database takes."""
    store_spells: float = 0.0
    """Times per hour that the disk fails for `store_spell_seconds`, in the share `store_spell_share` of all writes."""
    store_spell_seconds: float = 30.0
    store_spell_share: float = 0.5
    failed_syncs: float = 0.0
    """The share of syncs that fail (`vfs.py`): a commit is refused, and may be there after a kill."""
    lying_syncs: bool = False
    """Whether a sync says that it is done before it is (`vfs.py`); then a power cut may lose what was confirmed."""

    # People.
    servers: int = 1
    tables: int = 5
    """Matches at once in each server, of the games in turn; over ones are followed by others."""
    games: tuple[str, ...] = ("champions", "ciq", "haymaker", "tivmiv", "unbreakable")
    clocks: tuple[str, ...] = ("blitz", "normal")
    """The time controls that are chosen from."""
    thinking: float = 5.0
    """The mean time that somebody thinks before a press."""
    absent: float = 0.0
    """The share of tables at which one walks away after some presses."""
    twice: float = 0.03
    stale: float = 0.03
    """How likely somebody presses twice at once, or what is long gone, instead of an ordinary press."""
    resigns: float = 0.001
    computers: float = 0.0
    """The share of new matches, of games that computers play, in which one person plays against them alone."""
    salts: float = 0.0
    """How likely each player looks at the proof of a deal and adds a salt before the match."""
    looks: float = 0.0
    """The share of presses before which somebody looks at another's profile or history, or would challenge them."""
    deletions: float = 0.0
    """The share of matches after which one of its players deletes all their data, and its table rests."""
    cups: int = 0
    """People of each server who play tournaments, beside one who hosts them."""
    pauses: float = 0.0
    """The share of presses before which somebody is away for up to `pause_seconds`."""
    pause_seconds: float = 600.0


CALM = Weather()
"""Nothing goes wrong."""
