"""Checks an exported match of Cardroom: its seal, every deal, every later draw, and its log's chain.

It needs Python 3.11 and nothing else, and shares no code with the bot. docs/fair-deals.md explains every step. It
follows the cards through the facts of the log, so it knows what there was to draw from. It doesn't know the rules of
the games: `cardroom verify FILE` also checks that the facts follow from what the players did.
"""

import argparse
import base64
import hashlib
import hmac
import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

MOST_BYTES = 50_000_000
BAD_VALUE = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RecursionError, TypeError, ValueError)
Fact = dict[str, Any]  # such as {"type": "DealerDrawn", "v": 1, "dealer": 0}
Cards = list[Any]  # each as in the log, such as {"rank": 8, "suit": "S"}; of a place, the card that came first is first
RULES = {"haymaker": [1], "unbreakable": [1], "champions": [1], "ciq": [1, 2], "tivmiv": [1, 2]}  # their versions
MOVES = {  # where a fact takes the cards that it names (or all), and where it lays them; "hand." is its seat's hand
    "haymaker": "HandDealt: new > hand.; PileLaid: new > pile; AttackLaid: hand. > table; BlockLaid: hand. > table; "
    "TableCleared: all table > discards; CardsDrawn: pile > hand.; CardsGiven: hand {giver} > hand {taker}",
    "unbreakable": "DeckLaid: new > pile; MatchHandDealt: any pile > hand.; ChooserTurned: pile > target; AttackerLaid:"
    " hand. > target; TargetTaken: all target > hand.; TargetDiscarded: all target > discards; WeaponDealt: pile > "
    "weapons; TurnBegun: all weapons > discards; WeaponsDiscarded: all weapons > discards; ExtraDrawn: pile > hand.; "
    "Reshuffled: any discards > pile",
    "champions": "DeckDealt: new > hand.; PileLaid: new > pile; BattleWon: hand {winner} > won {winner}; FaceupLost: "
    "won. > discards; NumberlessRolled: hand. > discards; Stolen: hand {victim} > hand {thief}; CardGiven: hand. > "
    "discards; Reshuffled: any discards > pile; CardDrawn: pile > hand.; DieDrawn: new > die.; DieSelected: new > die.",
    "ciq": "EightLaid: new > defense.; PileDealt: new > attack.; CardsDrawn: attack. > hand.; Blocked: hand. > "
    "defense.; TurnedOver: all damage. > attack.; AttackLaid: hand. > {pile} {target}; CardTaken: hand. > damage.; "
    "Transferred: {source} {giver} > damage {taker}; Defended: all defense. > damage.; Defended: hand. > defense.",
    "tivmiv": "DeckDealt: new > deck.; CardDrawn: deck. > hand.; CardPlaced: hand. > centre",
}
NEXT = {  # what must come right after some facts
    "start": "DealerDrawn FirstDrawn PhaseBegun",
    "DealerDrawn": "HandDealt DeckLaid EightLaid",
    "Called": "Rolled",
    "DeckLaid": "MatchHandDealt",
    "FirstDrawn": "DeckDealt",
    "PhaseBegun": "CentreTurned",
    "CentreTurned": "DeckDealt",
    "SeatsOut": "Buried",
    "HitTaken": "CardsGiven Ended",
    "Reshuffled": "ChooserTurned CardDrawn WeaponDealt ExtraDrawn",
}
ICONS = ("222233", "223344", "334444", "334444", "223344", "222233")  # Champions of Chance: each number's plain cards
WACKY = (
    "INVERT STEAL BEGGAR",
    "TIEBREAK INVERT NUMBERLESS",
    "STEAL TIEBREAK BEGGAR",
    "INVERT STEAL NUMBERLESS",
    "TIEBREAK BEGGAR INVERT",
    "STEAL TIEBREAK NUMBERLESS",
)  # and its other three


class Misfit(Exception):  # noqa: N818  says what was found
    """Something in the file doesn't fit."""


def expect(what: str, found: object, right: object) -> None:
    """Compare two values as JSON, in which 1 isn't true."""
    if (has := json.dumps(found, sort_keys=True)) != (must := json.dumps(right, sort_keys=True)):
        raise Misfit(f"{what}: the file has {has[:500]}, but {must[:500]} is right.")


def sha256(start: bytes, text: str = "") -> bytes:
    return hashlib.sha256(start + text.encode()).digest()


def stream(key: bytes) -> Any:
    """The function `below`, which draws from the numbers of a key."""
    blocks = (hmac.digest(key, k.to_bytes(8, "big"), "sha256") for k in range(2**64))
    words = (int.from_bytes(block[at : at + 8], "big") for block in blocks for at in (0, 8, 16, 24))
    return lambda n: next(word for word in words if word < 2**64 - 2**64 % n) % n


def shuffled(below: Any, cards: Cards) -> Cards:
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def pack_of(game: str, options: Fact, seats: int) -> tuple[str, Cards]:
    """The id of a pack, and its cards in their order."""
    rows: list[Any] = [(rank, suit) for suit in "CDHS" for rank in range(1, 11 if game == "haymaker" else 14)]
    pack_id, names = "haymaker40" if game == "haymaker" else "french52", "rank suit"
    if game == "champions":
        icons, rows = options["victory_dice"] or options["icon_tiebreak"], []
        for number, (plain, wacky) in enumerate(zip(ICONS, WACKY, strict=True), 1):
            each = [(int(n), plain[:k].count(n)) if icons else (0, k) for k, n in enumerate(plain)]
            rows += [(number, dots, None, copy) for dots, copy in each]
            special = enumerate(wacky.split() if options["wacky_numbers"] else [])
            rows += [(number, k + 2 if icons else 0, name, 0) for k, name in special]
        pack_id, names = f"champions{len(rows)}{'icons' if icons else ''}", "number icons special copy"
    elif game == "ciq":
        decks = seats if options["decks"] is None else options["decks"] or -(-seats // 4)
        one = [(rank, suit) for suit in "CDHS" for rank in range(2, 15)]
        packs = [[*((*each, k) for each in one), (0, None, 2 * k), (0, None, 2 * k + 1)] for k in range(decks)]
        pack_id, names, rows = f"ciq54x{decks}", "rank suit copy", [card for pack in packs for card in pack]
    elif game == "tivmiv":
        faces, thrice = [(v, i) for v in range(1, 11) for i in (1, 2, 3)], ((1, 1), (5, 3), (10, 1))
        rows = [(v, i, copy) for v, i in faces for copy in (1, 2, 3) if copy < 3 or i == 2 or (v, i) in thrice]
        pack_id, names = "tivmiv73", "value index copy"
    return pack_id, [dict(zip(names.split(), row, strict=True)) for row in rows]


class Match:
    """Where the cards of a match are while its log is read, fact by fact."""

    def __init__(self, file: Fact, options: Fact, seats: list[str | None]) -> None:
        self.file, self.game, self.options, self.seats = file, file["game"], options, seats
        self.pack_id, self.pack = pack_of(self.game, options, len(seats))
        self.at, self.used, self.last, self.seq = defaultdict[str, Cards](list), dict[str, Any](), Fact(), 0
        self.order, self.deck, self.rest, self.dealt, self.phase = list(range(len(seats))), Cards(), Cards(), 0, 0

    def use(self, name: str = "", deal: int = 1) -> Any:
        """The stream of a deal or, with a name, of another use of chance in this record."""
        made, tail = self.file["deal"], name and f":{name}:{self.seq}"
        own_id = made["id"] if made["version"] == 2 else self.file["match"]
        head = f"cardroom/deal/v{made['version']}", self.game, self.file["rules_version"], own_id, deal, self.pack_id
        context = "\n".join(map(str, [*head, *self.seats])) + (tail and f"\nuse{tail}")
        key = hmac.digest(bytes.fromhex(made["seed"]), context.encode(), "sha256")
        if None in self.seats:  # a player of version 1 was deleted, so the context isn't known, but the keys were kept
            key = bytes.fromhex(self.file["keys"][f"{deal}:{self.pack_id}{tail}"])
        return self.used.setdefault(name, stream(key))

    def follow(self, seq: int, facts: list[Fact]) -> None:
        """Compare each fact that chance decides with what it has to be, and move its cards."""
        self.seq, self.used, due = seq, {}, "" if seq else NEXT["start"]
        for fact in [*facts, {"type": "end"}]:
            kind = fact["type"]
            if due and kind not in due.split():
                raise Misfit(f"{kind} can't come next. What has to come: {due}.")
            right = self.drawn(kind, fact)
            expect(kind, {name: fact.get(name) for name in right}, right)
            for moved, route in (move.split(": ") for move in MOVES[self.game].split("; ")):
                if kind == moved:
                    self.move(fact, *route.replace(".", " {seat}").format(**fact).split(" > "))
            self.last |= dict.fromkeys([kind, *fact], fact)  # the last fact of each type, and with each field
            due = self.due(kind, fact)

    def due(self, kind: str, fact: Fact) -> str:
        """What must come right after a fact, because chance has to bring it."""
        if kind in ("EightLaid", "HandDealt", "MatchHandDealt", "DeckDealt", "PileDealt"):
            over = {"haymaker": "PileLaid", "champions": "PileLaid", "tivmiv": "LeftOver" if self.rest else ""}
            return kind if self.dealt % len(self.order) else over.get(self.game, "")
        if kind == "OpponentNamed" and self.options.get("number") == "drawn" and not fact["taken"]:
            return "NumberDrawn"
        if kind in ("NumberSet", "NumberDrawn") and self.options["die"] != "chosen":
            return "DieDrawn"
        if kind == "ResultBegun":  # a single card counts as the opponent's Defense at most; a Jack (11) takes a card
            attack, ranks = self.last["AttackLaid"], [card["rank"] for card in self.last["AttackLaid"]["cards"]]
            rank = ranks[fact["place"]] if len(ranks) > 1 else min(ranks[0], attack["defense"])
            return "CardTaken" if rank == 11 and self.at[f"hand {attack['target']}"] else ""
        return NEXT.get(kind, "")

    def move(self, fact: Fact, source: str, target: str) -> None:
        if target.startswith("won") and not self.options["victory_dice"]:
            target = "discards"
        how, cards = source.split(maxsplit=1)[0], fact.get("cards") or fact.get("draw") or [fact.get("card")]
        if how == "new":
            self.at[source], self.at[target] = list(cards), []
        here = self.at[source.removeprefix("all ").removeprefix("any ")]
        if how == "all":
            cards = list(here)
        if how not in ("hand", "any"):  # defense and won are left by the newest card first, all others by the oldest
            expect(f"{fact['type']}, {source}", cards, here[:: -1 if how in ("defense", "won") else 1][: len(cards)])
        if any(card not in here for card in cards):
            raise Misfit(f"{fact['type']}: not all cards are there ({source}).")
        self.at[target] += [here.pop(here.index(card)) for card in cards[:]]

    def in_order(self, place: str) -> Cards:
        """The cards of a place in the pack's order. In CIQ all packs count as one, and the jokers come last."""
        cards = sorted(self.at[place], key=self.pack.index)
        return cards if self.game != "ciq" else sorted(cards, key=lambda card: min(self.pack.index(card) % 54, 52))

    def shuffle(self, number: int = 1) -> None:
        """Shuffle for a deal: the players get `deck`. `rest` is left, or in CIQ laid out before."""
        old, players = self.file["rules_version"] == 1, len(self.order)
        if self.game == "ciq":
            deck = shuffled(self.use(), self.pack) if old else self.pack
            eights = [card for card in deck if card["rank"] == 8]
            self.rest = (eights if old else shuffled(self.use("eights"), eights))[:players]
            deck = [card for card in deck if card not in self.rest]
            self.deck = deck if old else shuffled(self.use(), deck)
        else:
            counts = {"haymaker": 20, "champions": 6 * players, "tivmiv": 73 - 72 % players}
            cut = counts.get(self.game) or 2 * self.options["match_hand"]
            deck = shuffled(self.use("", number), self.pack)
            self.deck, self.rest, self.dealt = deck[:cut], deck[cut:], 0

    def drawn(self, kind: str, fact: Fact) -> Fact:
        """What a fact has to be, as far as chance decides it."""
        at, game, use, last, order = self.at, self.game, self.use, self.last, self.order
        match kind:
            case "DealerDrawn" | "FirstDrawn":
                lead, after = use(kind[:-5].lower())(len(order)), int(kind == "DealerDrawn")
                self.order = [(lead + after + k) % len(order) for k in order]
                self.shuffle()
                return {"dealer" if after else "seat": lead}
            case "EightLaid" | "HandDealt" | "MatchHandDealt" | "DeckDealt" | "PileDealt":
                nth, self.dealt = self.dealt % len(order), self.dealt + 1
                dealt = {"cards": self.deck[nth + (game == "tivmiv") :: len(order)]}
                return {"seat": order[nth], **({"card": self.rest[nth]} if kind == "EightLaid" else dealt)}
            case "DeckLaid":
                return {"cards": self.deck + self.rest}
            case "PileLaid" if game == "haymaker":
                return {"draw": self.rest[4:], "burned": self.rest[:4]}
            case "PileLaid":
                return {"draw": self.rest}
            case "CardsGiven" if not fact["passing"]:
                seat, cost = last["HitTaken"]["seat"], min(2, len(at["table"]))
                given = shuffled(use("hit"), self.in_order(f"hand {seat}"))[:cost]
                return {"giver": seat, "taker": 1 - seat, "cards": given}
            case "WeaponDealt":
                return {"seat": order[len(at["weapons"]) % 2]}
            case "Reshuffled" if game == "champions":
                return {"draw": at["pile"] + shuffled(use("reshuffle"), at["discards"])}
            case "Reshuffled":
                name = f"reshuffle{1 + sum(name.startswith('reshuffle') for name in self.used)}"
                return {"cards": at["pile"] + shuffled(use(name), self.in_order("discards"))}
            case "NumberDrawn":
                return {"number": 2 + use("number")(5)}
            case "DieDrawn":
                seat = last["OpponentNamed"]["opponent" if "die" in self.used else "challenger"]
                hand = self.in_order(f"hand {seat}")
                size = min(last["number"]["number"], len(hand))
                plain = [card for card in hand if size == 1 and not card["special"]]
                return {"seat": seat, "cards": shuffled(use("die"), plain or hand)[:size]}
            case "DieSelected":
                return {"cards": [card for card in self.in_order(f"hand {fact['seat']}") if card in fact["cards"]]}
            case "Rolled":
                seats = [last["OpponentNamed"][side] for side in ("challenger", "opponent")]
                rolled = [die[use("roll")(len(die))] for die in [self.in_order(f"die {seat}") for seat in seats]]
                return {"challenger": seats[0], "opponent": seats[1], "cards": rolled}
            case "AttackLaid" if game == "ciq":
                return {"defense": at[f"defense {fact['target']}"][-1]["rank"]}
            case "CardTaken":
                hand = self.in_order(f"hand {last['AttackLaid']['target']}")
                return {"seat": last["AttackLaid"]["target"], "card": hand[use("jack")(len(hand))]}
            case "PhaseBegun":
                at.clear()
                self.phase += 1
                self.shuffle(self.phase)
                return {"phase": self.phase}
            case "CentreTurned":
                return {"card": self.deck[0]}
            case "LeftOver":
                return {"cards": self.rest}
            case "SeatsOut":
                self.order = [seat for seat in order if seat not in fact["seats"]]
            case "Buried":
                left = self.in_order(f"hand {fact['seat']}") + at[f"deck {fact['seat']}"]
                return {"cards": shuffled(use(f"bury{fact['seat']}"), left)}
        return {}


def line_of(seat: int, about: Fact, version: int) -> str | None:
    """A seat's line in the contexts; None if its user isn't known any more."""
    if version == 1:
        return f"{seat}:{int(about['user'])}:{sha256(b'').hex()}" if about and about["user"] else None
    salt = about["salt"]
    right = about["salt_sha256"] if salt is None else sha256(b"", unicodedata.normalize("NFC", salt)).hex()
    expect(f"the hash of the salt of seat {seat}", [about["salt_sha256"], len(bytes.fromhex(right))], [right, 32])
    return f"{seat}:{bytes.fromhex(right).hex()}"


def check(file: Fact, seal: str | None, chain: str | None) -> list[str]:
    """Returns what was checked, in sentences. Raises Misfit."""
    made, game, rules, options = file["deal"], file["game"], file["rules_version"], json.loads(file["options"])
    known = [file["form"], made["version"] in (1, 2), rules in RULES[game], len(file["records"]) > 0]
    expect("form, deal, rules and records", known, ["cardroom/match/v1", True, True, True])
    seed, sealed = bytes.fromhex(made["seed"]), json.loads(made["options"]) if made["version"] == 2 else options
    header = f"\0{game}\n{rules}\n{made['id']}\n{made['options']}" if made["version"] == 2 else ""
    commitment = sha256(f"cardroom/commit/v{made['version']}\0".encode() + seed, header)
    short = base64.b32encode(commitment).decode()[:20]
    expect("the seal", [made["seal"], len(seed)], [commitment.hex(), 32])
    expect("the options", {name: options[name] for name in sealed if name in options}, sealed)
    match = Match(file, options, [line_of(seat, about, made["version"]) for seat, about in enumerate(file["seats"])])
    value = sha256(b"cardroom/log/v1\0", file["match"])
    for seq, record in enumerate(file["records"]):
        parts = [record[name] for name in ("seq", "actor", "action", "events", "at")]
        value = sha256(value, "\n".join("" if part is None else str(part) for part in parts))
        expect(f"record {seq}", [record["seq"], record["chain"], "" in parts], [seq, value.hex(), False])
        try:
            match.follow(seq, json.loads(record["events"]))
        except Misfit as error:
            raise Misfit(f"Record {seq}, {error}") from None
        except BAD_VALUE:
            raise Misfit(f"Record {seq} has a fact that can't be right.") from None
    expect("the chain in the result", file["result"]["chain"], value.hex())
    for noted, short_form, whole in ((seal, short.lower(), commitment.hex()), (chain, value.hex()[:16], value.hex())):
        if noted is not None:
            expect("what you noted", noted.strip().lower() in (short_form, whole), True)
    source = "the seed" if None not in match.seats else "keys that were kept for a deleted player, unproven by the seed"
    return [
        f"The seal fits the deal of {game}, rules version {rules}: {short}, in full {commitment.hex()}.",
        f"All cards that were dealt and drawn in {len(file['records'])} records follow from {source}.",
        f"The log's chain is whole: {value.hex()[:16]}, in full {value.hex()}.",
        "Compare seal and chain with what you saw. Whether each act was allowed is checked by `cardroom verify`.",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("file", "--seal", "--chain"):
        parser.add_argument(name)
    given = parser.parse_args()
    try:
        with Path(given.file).open("rb") as source:
            said, code = "\n".join(check(json.loads(source.read(MOST_BYTES)), given.seal, given.chain)), 0
    except Misfit as error:
        said, code = f"This doesn't fit. {error}", 1
    except BAD_VALUE as error:
        said, code = f"No exported match could be read ({type(error).__name__}).", 2
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
