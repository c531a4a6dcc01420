"use strict";

// The match is data: texts become text nodes, never markup, so nothing that a player is called can do anything here.
// In a text, these characters of Unicode's private use begin and end a piece, or say what its line is.
const BOLD = "\ue000";
const ITALIC = "\ue001";
const CARD = "\ue002";
const KINDS = { "\ue003": "small", "\ue004": "heading", "\ue005": "quote", "\ue006": "point" };

const at = (id) => document.getElementById(id);
let words, texts, blocks, steps, ending, last;
let number = 0;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function piece(text, isBold, isItalic, isCard) {
  if (!isBold && !isItalic && !isCard) {
    return document.createTextNode(text);
  }
  const made = document.createElement(isCard ? "span" : isBold ? "strong" : "em");
  if (isCard) {
    made.className = /[♥♦]/.test(text) ? "card red" : "card";
  }
  made.textContent = text;
  return made;
}

function line(text) {
  const made = document.createElement("p");
  const kind = KINDS[text[0]];
  if (kind) {
    made.className = kind;
  }
  let isBold = false;
  let isItalic = false;
  let isCard = false;
  for (const part of (kind ? text.slice(1) : text).split(/([\ue000-\ue002])/)) {
    if (part === BOLD) {
      isBold = !isBold;
    } else if (part === ITALIC) {
      isItalic = !isItalic;
    } else if (part === CARD) {
      isCard = !isCard;
    } else if (part) {
      made.append(piece(part, isBold, isItalic, isCard));
    }
  }
  return made;
}

function lines(block) {
  return blocks[block].map((text) => line(texts[text]));
}

function hand(seat, block) {
  const made = document.createElement("section");
  const title = document.createElement("h3");
  title.textContent = words.saw[seat];
  made.append(title, ...lines(block));
  return made;
}

function show() {
  const [news, board, ...hands] = steps[number];
  const eyes = at("eyes").value;
  at("number").textContent = words.step[number];
  at("news").replaceChildren(...lines(news));
  at("board").replaceChildren(...lines(board));
  at("hands").replaceChildren(
    ...hands.map((block, seat) => [block, seat]).filter(([, seat]) => eyes === "a" || eyes === String(seat))
      .map(([block, seat]) => hand(seat, block)),
  );
  at("ending").hidden = number !== last;
  if (number === last) {
    at("result").replaceChildren(...lines(ending));
  }
  at("first").disabled = at("back").disabled = number === 0;
  at("next").disabled = at("last").disabled = number === last;
}

function go(to) {
  number = Math.max(0, Math.min(last, to));
  const focused = document.activeElement;
  show();
  // A button that is pressed and then disabled would lose the focus to nothing.
  if (focused && focused.disabled) {
    at(number === last ? "back" : "next").focus();
  }
}

const MOVES = {
  first: () => go(0),
  back: () => go(number - 1),
  next: () => go(number + 1),
  last: () => go(last),
};
const [BEFORE, AFTER] = document.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
const KEYS = { Home: "first", [BEFORE]: "back", [AFTER]: "next", End: "last" };

function listen() {
  for (const [id, move] of Object.entries(MOVES)) {
    at(id).addEventListener("click", move);
  }
  at("eyes").addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    const move = KEYS[event.key];
    if (move && event.target !== at("eyes") && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      MOVES[move]();
    }
  });
}

unpacked(at("match").textContent).then((match) => {
  ({ words, texts, blocks, steps, ending } = match);
  last = steps.length - 1;
  listen();
  show();
});
