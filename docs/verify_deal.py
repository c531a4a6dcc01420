"""Checks an exported match of Cardroom: its seal, every deal, every later draw, who played, and its log's chain.

It shares no code with the bot. docs/fair-deals.md explains every step. It follows the cards through the facts of the
log, so it knows what there was to draw from. `cardroom verify FILE` also checks that facts follow from the acts. Of a
game or rules that it doesn't know, it checks all but the cards and the players, and says that it can't check those.
"""
import base64, hashlib, hmac, json, sys, unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

Json = dict[str, Any]
RULES = {"haymaker": 1, "unbreakable": 1, "champions": 1, "ciq": 3, "tivmiv": 2}  # the newest whose deals it knows
MOVES = {  # where a fact takes its cards and lays them: new or all cards, those on top, or any; "." is its seat's place
    "haymaker": "HandDealt: new hand.; PileLaid: new pile; AttackLaid: any hand. table; BlockLaid: any hand. table; "
    "TableCleared: all table discards; CardsDrawn: top pile hand.; CardsGiven: any hand{giver} hand{taker}",
    "unbreakable": "DeckLaid: new pile; MatchHandDealt: any pile hand.; ChooserTurned: top pile target; AttackerLaid: "
    "any hand. target; TargetTaken: all target hand.; TargetDiscarded: all target discards; WeaponDealt: top pile "
    "weapons; TurnBegun: all weapons discards; WeaponsDiscarded: all weapons discards; ExtraDrawn: top pile hand.; "
    "Reshuffled: any discards pile",
    "champions": "DeckDealt: new hand.; PileLaid: new pile; BattleWon: any hand{winner} won{winner}; FaceupLost: any "
    "won. discards; NumberlessRolled: any hand. discards; Stolen: any hand{victim} hand{thief}; CardGiven: any hand. "
    "discards; Reshuffled: any discards pile; CardDrawn: top pile hand.; DieDrawn: new die.; DieSelected: new die.",
    "ciq": "EightLaid: new defense.; PileDealt: new attack.; CardsDrawn: top attack. hand.; Blocked: any hand. "
    "defense.; TurnedOver: all damage. attack.; AttackLaid: any hand. {pile}{target}; CardTaken: any hand. damage.; "
    "Transferred: any {source}{giver} damage{taker}; Defended: all defense. damage.; Defended: any hand. defense.",
    "tivmiv": "DeckDealt: new deck.; CardDrawn: top deck. hand.; CardPlaced: any hand. centre"}
TIMERS = {  # the facts with which the time of a question begins, by its name
    "haymaker": "turn: TurnBegun AttackLaid CardsDrawn", "unbreakable": "turn: WeaponsReady TurnBegun",
    "champions": "turn: TurnBegun OpponentNamed NumberSet NumberDrawn DieSelected DieDrawn ExchangeAsked StealAsked "
    "BattleVoid", "ciq": "turn: TurnBegun; block: BlockAsked; give: GivingAsked",
    "tivmiv": "ready: ReadyAsked PhaseEnded; go: CountdownBegun; idle: PhaseBegun CardPlaced CardDrawn; draw: "
    "PhaseBegun CardPlaced CardDrawn; stall: PhaseBegun CardPlaced CardDrawn CountdownBegun"}
ICONS = ("222233", "223344", "334444", "334444", "223344", "222233")  # Champions of Chance: each number's plain cards,
WACKY = ("ISB", "TIN", "STB", "ISN", "TBI", "STN")  # and its other three, by their first letters
SPECIAL = {name[0]: name for name in ("INVERT", "STEAL", "BEGGAR", "TIEBREAK", "NUMBERLESS")}

class Misfit(Exception): """Something in the file doesn't fit."""  # noqa: N818  says what was found

def expect(what: str, found: object, right: object) -> None:  # both as JSON, in which 1 isn't true
    if (has := json.dumps(found, sort_keys=True)) != (must := json.dumps(right, sort_keys=True)):
        raise Misfit(f"{what}: the file has {has[:500]}, but {must[:500]} is right.")

def canonical(what: str, text: str) -> Any:  # what a text says, if no other program can read something else in it
    expect(what, text, json.dumps(value := json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    return value

def sha256(start: bytes, text: str = "") -> bytes: return hashlib.sha256(start + text.encode()).digest()

def stream(key: bytes) -> Any:  # the function `below`, which draws from the numbers of a key
    blocks = (hmac.digest(key, k.to_bytes(8, "big"), "sha256") for k in range(2**64))
    words = (int.from_bytes(block[at : at + 8], "big") for block in blocks for at in (0, 8, 16, 24))
    return lambda n: next(word for word in words if word < 2**64 - 2**64 % n) % n

def shuffled(below: Any, cards: list[Any]) -> list[Any]:
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order

def pack_of(game: str, options: Json, seats: int) -> tuple[str, list[Any]]:  # its id, and its cards in their order
    pack_id, names = "haymaker40" if game == "haymaker" else "french52", "rank suit"
    rows: list[Any] = [(rank, suit) for suit in "CDHS" for rank in range(1, 11 if game == "haymaker" else 14)]
    if game == "champions":
        icons, rows = options["victory_dice"] or options["icon_tiebreak"], []
        for number, (plain, wacky) in enumerate(zip(ICONS, WACKY, strict=True), 1):
            each = [(int(n), plain[:k].count(n)) if icons else (0, k) for k, n in enumerate(plain)]
            rows += [(number, dots, None, copy) for dots, copy in each]
            wild = enumerate(wacky if options["wacky_numbers"] else "", 2)
            rows += [(number, k if icons else 0, SPECIAL[letter], 0) for k, letter in wild]
        pack_id, names = f"champions{len(rows)}{'icons' if icons else ''}", "number icons special copy"
    elif game == "ciq":
        decks = seats if options["decks"] is None else options["decks"] or -(-seats // 4)
        expect("whether a match can have these packs", decks in range(1, 13), True)
        one = [(rank, suit) for suit in "CDHS" for rank in range(2, 15)]
        packs = [[*((*each, k) for each in one), (0, None, 2 * k), (0, None, 2 * k + 1)] for k in range(decks)]
        pack_id, names, rows = f"ciq54x{decks}", "rank suit copy", [card for pack in packs for card in pack]
    elif game == "tivmiv":
        faces, thrice = [(v, i) for v in range(1, 11) for i in (1, 2, 3)], ((1, 1), (5, 3), (10, 1))
        rows = [(v, i, copy) for v, i in faces for copy in (1, 2, 3) if copy < 3 or i == 2 or (v, i) in thrice]
        pack_id, names = "tivmiv73", "value index copy"
    return pack_id, [dict(zip(names.split(), row, strict=True)) for row in rows]

class Match:  # where its cards are while its log is read, fact by fact
    def __init__(self, file: Json, options: Json, seats: list[str]) -> None:
        self.file, self.game, self.options, self.seats = file, file["game"], options, seats
        self.pack_id, self.pack = pack_of(self.game, options, len(seats))
        self.at, self.last, self.used = defaultdict[str, list[Any]](list), Json(), Json()
        self.order, self.dealt, self.phase, self.acts = list(range(len(seats))), 0, 0, 0
        self.levels = [about.get("level") for about in file["seats"]]  # of the seats that are computers'
        self.held, self.back, self.taken, self.gone = set[int](), Json(), set[int](), set[int]()
        self.chosen, self.since, self.question = set[int](), dict[str, int](), ""
        self.dice, self.moved, self.ended = 0, False, False
        whole, bank, more = str(file["turn"]).partition("+")  # a bank holds `whole`, and gets `more` by answers or days
        self.whole, self.more, self.daily = 1000 * int(whole), 1000 * int(more.rstrip("d") or 0), more.endswith("d")
        self.slow = self.daily or self.more >= 600_000 or self.whole >= (10_800_000 if bank else 600_000)
        self.left, self.before = [self.whole] * len(seats), file["opened_at"]
    def use(self, name: str = "", deal: int = 1) -> Any:  # the stream of a deal or of another use of chance
        made, own = self.file["deal"], [f"use:{name}:{self.acts}"] if name else []
        head = "cardroom/deal/v3", self.game, self.file["rules_version"], made["id"], deal, self.pack_id
        context = "\n".join(map(str, [*head, *self.seats, *own]))
        return self.used.setdefault(name, stream(hmac.digest(bytes.fromhex(made["seed"]), context.encode(), "sha256")))
    def follow(self, record: Json, action: Json, facts: list[Any]) -> None:  # judge a record, and move the cards
        hands_over, self.used = action.get("type") in ("TakenOver", "TakenBack"), {}
        self.acts += record["action"] is not None and not hands_over  # a record without an act moves no draw
        if not self.may(record, action, facts): raise Misfit("nobody could do this here, or not at this time.")
        self.pay(record, action)
        self.moved |= record["actor"] is not None and not hands_over and action["type"] != "Ready"
        if hands_over: expect("the facts", facts, [])
        for fact in facts:
            self.time(fact, record["at"])
            right = self.drawn(fact["type"], fact)
            expect(fact["type"], {name: fact.get(name) for name in right}, right)
            for kind, route in (move.split(": ") for move in MOVES[self.game].split("; ")):
                if kind == fact["type"]:
                    self.move(fact, *route.replace(".", "{seat}").format(**fact).split())
            self.last |= dict.fromkeys([fact["type"], *fact], fact)  # the last fact of each type, and with each field
    def may(self, record: Json, action: Json, facts: list[Any]) -> bool:  # whether the bot lets this actor do this now
        seat, at, kind, mark = record["actor"], record["at"], action.get("type"), record.get("computer")
        if record["action"] is None: return self.last == {} and seat is None and mark is None
        inside = [each for each in range(len(self.seats)) if each not in self.gone and not self.ended]
        people = {each for each in inside if not self.levels[each] and each not in self.held}
        if kind == "TakenOver":
            seats, others = action["seats"], [each for each in inside if each not in action["seats"]]
            right: Json = {"level": "normal", "others": others, "seats": sorted({*seats}), "type": kind, "v": 1}
            free = all(each in people and self.back.get(each) != self.acts for each in seats) and people - {*seats}
            late = seats * self.banked(self.question)
            asked = self.ran_out(self.question, at, late) if seat is None else seats == [seat]
            self.held, self.taken = self.held | {*seats}, self.taken | {*seats}
            if seat is None: self.since = dict.fromkeys(self.since, int(at))  # the whole time begins again
            else: self.chosen.add(seat)
            may = action == right and mark is None and self.file.get("stand_in", "off") != "off"
            return bool(may and seats and free and asked)
        if kind == "TakenBack":
            may, self.back[seat] = seat in self.held and seat in inside and mark is None, self.acts
            self.held -= {seat}
            return may
        if seat is None:
            late = [fact for fact in facts if "time" in (fact.get("kind"), fact.get("reason"))]
            out = {each for fact in late for each in fact.get("seats", [fact.get("seat")]) if fact["type"] != "Ended"}
            out |= {each for fact in late if "winner" in fact for each in {0, 1} - {fact["winner"]}}  # of two
            held = {each for each in out & people if self.back.get(each) != self.acts - 1}
            plays_on = self.file.get("stand_in", "off") != "off" and held and people - held  # a computer, for these
            ran_out = kind == "TimeUp" and self.ran_out(action["timer"], at, named := action.get("seats", []))
            return bool(mark is None and ran_out and not plays_on and (not named or out <= {*named} <= {*inside}))
        level = self.levels[seat] or ("normal" if seat in self.held and people else None)
        if mark is not None: return bool(level) and mark.split(" ")[0] == level
        return not self.levels[seat] and (seat not in self.held or kind == "Resign")
    def time(self, fact: Json, at: int) -> None:  # note whose time begins with a fact, and who is out by it
        kind = fact["type"]
        self.dice = 0 if kind == "OpponentNamed" else self.dice + (kind in ("DieSelected", "DieDrawn"))
        for name, kinds in (timer.split(": ") for timer in TIMERS[self.game].split("; ")):
            goes_on = name == "idle" and fact.get("by_house") if kind[:3] != "Die" else self.dice == 1
            if kind in kinds.split() and not goes_on: self.since[name], self.question = at, name
        if kind in ("SeatLeft", "Leaving", "SeatsLeft", "SeatsOut"):
            self.gone |= {*fact.get("seats", [fact.get("seat")])}
        self.ended |= kind == "Ended"
    def pay(self, record: Json, action: Json) -> None:  # what banks have left, at most: clocks can stand unseen (C-15)
        seat, at, kind = record["actor"], record["at"], action.get("type")
        own = seat is not None and kind not in ("TakenOver", "TakenBack", "Resign") and not record.get("computer")
        for each in (action.get("seats", []) if seat is None else [seat] * own) * self.banked(self.question):
            if kind == "TimeUp" and each in self.held: continue  # a computer's time
            rest = max(0, self.left[each] - at + self.since[self.question]) + self.more * (not self.daily)
            self.left[each] = min(self.whole, self.more if seat is None else rest)
        days, self.before = at // 86_400_000 - self.before // 86_400_000, at
        self.left = [min(self.whole, each + self.more * days * self.daily) for each in self.left]
    def of_turn(self, name: str) -> bool: return name in ("turn", "give") or (name == "block" and self.slow)
    def banked(self, name: str) -> bool: return bool(self.more and self.of_turn(name))  # each seat has its own time
    def ran_out(self, name: str, at: int, seats: list[int]) -> bool:  # whether the whole time of a question has passed
        fixed = {"go": 5, "draw": 2}.get(name) or (self.of_turn(name) and self.whole // 1000)
        fixed = fixed or self.options[f"{name}_seconds"]
        most = [self.whole if self.levels[each] or each in self.held else self.left[each] for each in seats]
        return bool(seats) == self.banked(name) and bool(at >= self.since[name] + max(most, default=1000 * fixed))
    def move(self, fact: Json, how: str, source: str, target: str = "") -> None:
        here, cards = self.at[source], list(fact.get("cards") or fact.get("draw") or [fact.get("card")])
        if how == "new": self.at[source] = cards; return
        if how == "all": cards = list(here)
        if (how == "top" and cards != here[: len(cards)]) or any(card not in here for card in cards):
            raise Misfit(f"{fact['type']}: these cards weren't there to take.")
        self.at["discards" if target[:3] == "won" and not self.options["victory_dice"] else target] += cards
        for card in cards: here.remove(card)
    def in_order(self, place: str) -> list[Any]:  # the cards of a place in the pack's order
        cards = sorted(self.at[place], key=self.pack.index)  # in CIQ all packs count as one, and the jokers come last
        return cards if self.game != "ciq" else sorted(cards, key=lambda card: min(self.pack.index(card) % 54, 52))
    def shuffle(self, number: int = 1) -> None:  # the players get `deck`; `rest` is left, or in CIQ laid out before
        players = len(self.order)
        if self.game == "ciq":
            self.rest = shuffled(self.use("eights"), [card for card in self.pack if card["rank"] == 8])[:players]
            self.deck = shuffled(self.use(), [card for card in self.pack if card not in self.rest])
        else:
            counts = {"haymaker": 20, "champions": 6 * players, "tivmiv": 73 - 72 % players}
            cut = counts.get(self.game) or 2 * self.options["match_hand"]
            deck, self.dealt = shuffled(self.use("", number), self.pack), 0
            self.deck, self.rest = deck[:cut], deck[cut:]
    def drawn(self, kind: str, fact: Json) -> Json:  # what a fact has to be, as far as chance decides it
        at, use, last, order = self.at, self.use, self.last, self.order
        match kind:
            case "DealerDrawn" | "FirstDrawn":
                first = (self.file.get("series") or {}).get("first")
                lead = use("first")(len(order)) if first is None else first
                self.order = [(lead + k) % len(order) for k in order]
                self.shuffle()
                return {"dealer": (lead - 1) % len(order)} if kind == "DealerDrawn" else {"seat": lead}
            case "EightLaid" | "HandDealt" | "MatchHandDealt" | "DeckDealt" | "PileDealt":
                nth, self.dealt = self.dealt % len(order), self.dealt + 1
                dealt = {"cards": self.deck[nth + (self.game == "tivmiv") :: len(order)]}
                return {"seat": order[nth], **({"card": self.rest[nth]} if kind == "EightLaid" else dealt)}
            case "DeckLaid": return {"cards": self.deck + self.rest}
            case "PileLaid":
                return {"draw": self.rest[4:], "burned": self.rest[:4]} if "burned" in fact else {"draw": self.rest}
            case "CardsGiven" if not fact["passing"]:
                lost = shuffled(use("hit"), self.in_order(f"hand{(seat := last['HitTaken']['seat'])}"))
                return {"giver": seat, "taker": 1 - seat, "cards": lost[: min(2, len(at["table"]))]}
            case "WeaponDealt": return {"seat": order[len(at["weapons"]) % 2]}
            case "Reshuffled" if self.game == "champions":
                return {"draw": at["pile"] + shuffled(use("reshuffle"), at["discards"])}
            case "Reshuffled":
                below = use(f"reshuffle{1 + sum(name.startswith('reshuffle') for name in self.used)}")
                return {"cards": at["pile"] + shuffled(below, self.in_order("discards"))}
            case "NumberDrawn": return {"number": 2 + use("number")(5)}
            case "DieDrawn":
                seat = last["OpponentNamed"]["opponent" if "die" in self.used else "challenger"]
                size = min(last["number"]["number"], len(hand := self.in_order(f"hand{seat}")))
                plain = [card for card in hand if size == 1 and not card["special"]]
                return {"seat": seat, "cards": shuffled(use("die"), plain or hand)[:size]}
            case "Rolled":
                sides = {side: last["OpponentNamed"][side] for side in ("challenger", "opponent")}
                dice = [self.in_order(f"die{seat}") for seat in sides.values()]
                return {**sides, "cards": [die[use("roll")(len(die))] for die in dice]}
            case "CardTaken":
                hand = self.in_order(f"hand{last['AttackLaid']['target']}")
                return {"seat": last["AttackLaid"]["target"], "card": hand[use("jack")(len(hand))]}
            case "PhaseBegun":
                at.clear(); self.phase += 1; self.shuffle(self.phase)
                return {"phase": self.phase}
            case "CentreTurned": return {"card": self.deck[0]}
            case "LeftOver": return {"cards": self.rest}
            case "SeatsOut": self.order = [seat for seat in order if seat not in fact["seats"]]
            case "Buried":
                left = self.in_order(f"hand{fact['seat']}") + at[f"deck{fact['seat']}"]
                return {"cards": shuffled(use(f"bury{fact['seat']}"), left)}
        return {}

def line_of(seat: int, about: Json) -> str:  # a seat's line in the contexts
    if about["salt"] is not None:  # else its player was deleted, and the hash is all there is
        right = sha256(b"", unicodedata.normalize("NFC", about["salt"])).hex()
        expect(f"the hash of the salt of seat {seat}", about["salt_sha256"], right)
    return f"{seat}:{about['salt_sha256']}" + (f":{about['level']}" if about.get("level") else "")

def terms_of(file: Json) -> str:  # the sealed terms that are no options of the game
    terms, series = [file.get("stand_in", "off"), file["turn"]], file.get("series")
    if series:
        number, wins, first, enough = series["number"], series["wins"], series["first"], series["best_of"] // 2 + 1
        drawn = number == 1 or wins == [enough - 1] * 2 or file["game"] == "tivmiv"  # else it is the other's turn (C-9)
        fits = [(series["id"] == file["match"]) == (number == 1), max(wins) < enough, sum(wins) < number]
        expect("the place in the series", [*fits, first is None], [True, True, True, drawn])
        terms += [series["id"], series["best_of"], number, *wins, "drawn" if drawn else first]
    return " ".join(map(str, terms))

def counts(file: Json, match: Match) -> list[bool]:  # what `counted` may be (C-8, C-10)
    ranks, kind = file["result"]["ranks"], file["result"]["kind"]
    lost = {seat for seat, rank in enumerate(ranks) if rank > 1}
    undone = file.get("stand_in") == "unrated" and match.taken and not lost & match.chosen
    if not ranks or file["result"].get("excused") or any(match.levels) or undone: return [False]
    if match.acts >= 4: return [True]
    if kind not in ("resignation", "time"): return [False]
    return [True] if lost & {record["actor"] for record in file["records"][:-1]} else [False, True]

def knows(file: Json) -> bool: return bool(1 <= file["rules_version"] <= RULES.get(file["game"], 0))

def check(file: Json, *noted: str) -> str:  # `noted` are seals and chains that somebody saw, short or whole
    made, options, end = file["deal"], canonical("the options", file["options"]), file["result"]
    expect("the form, and the version of its deal", [file["form"], made["version"]], ["cardroom/match/v1", 3])
    header = f"\0{file['game']}\n{file['rules_version']}\n{made['id']}\n{made['options']}\n{terms_of(file)}"
    seal = sha256(b"cardroom/commit/v3\0" + (seed := bytes.fromhex(made["seed"])), header)
    expect("the seal", [made["seal"], len(seed)], [seal.hex(), 32])
    sealed = canonical("the sealed options", made["options"])
    expect("the options", {name: options[name] for name in sealed if name in options}, sealed)
    seats = [line_of(seat, about) for seat, about in enumerate(file["seats"])]
    match = Match(file, options, seats) if knows(file) else None
    times = [file["sealed_at"], file["opened_at"], *(record["at"] for record in file["records"]), end["ended_at"]]
    expect("the order of the times", times, sorted(times))
    value = sha256(b"cardroom/log/v2\0", file["match"])
    for seq, record in enumerate(file["records"]):
        parts = [record[name] for name in ("seq", "actor", "action", "events", "at", "computer") if name in record]
        value = sha256(value, "\n".join("" if part is None else str(part) for part in parts))
        expect(f"record {seq}", [record["seq"], record["chain"], "" in parts], [seq, value.hex(), False])
        facts, action = (canonical(f"record {seq}", record[name] or "{}") for name in ("events", "action"))
        if match is None: continue
        try: match.follow(record, action, facts)
        except Exception as error: raise Misfit(f"Record {seq}: {error}") from None
    if match is not None:
        expect("whether cards were dealt", match.dealt > 0, True)
        expect("whether it counted", end["counted"] in counts(file, match), True)
        expect("that nobody had moved", match.moved and end["kind"] == "called_off", False)
    expect("the chain in the result", end["chain"], value.hex())
    shown = [base64.b32encode(seal).decode()[:20], seal.hex(), value.hex()[:16], value.hex()]
    for text in noted: expect(text, text.strip().lower() in map(str.lower, shown), True)
    rest = "All deals and draws follow from the seed." if match else (
        "Options and salts fit. This script doesn't know how {game!r:.40} is dealt by version {rules_version!r:.40} of "
        "its rules, so the rest is by the file's own word. `cardroom verify`, with the game installed, checks it.")
    return "Seal: {} ({}). {rest} Chain: {} ({}).".format(*shown, rest=rest.format(**file))

def unrepeated(pairs: list[tuple[str, Any]]) -> Json:  # an object, if it has no name twice
    if len(fields := dict(pairs)) < len(pairs): raise Misfit("An object has a name twice.")
    return fields

def main(path: str = "", *noted: str) -> int:  # 0: all fits. 1: something doesn't. 2: can't be checked, or not all
    try:
        with Path(path).open("rb") as source: file = json.loads(source.read(50_000_000), object_pairs_hook=unrepeated)
        print(check(file, *noted)); return 0 if knows(file) else 2
    except Misfit as error: print(f"This doesn't fit. {error}"); return 1
    except Exception as error: print(f"Not an exported match that can be checked ({error!r:.100})."); return 2

if __name__ == "__main__": sys.exit(main(*sys.argv[1:]))
