/**
 * Discord's markdown, read into a tree.
 *
 * A node is a string or `{kind, …, children}`. Reading knows nothing of the page; `rich-text.js` draws the tree.
 * Depth is limited, because the text may be hostile.
 */

const DEEPEST = 12;

/** @returns {Array<string|Object>} the blocks of a whole message or text display */
export function parse(text) {
  return blocks(String(text ?? "").replace(/\r\n?/g, "\n"), 0);
}

/** The words of a text without any markup, on one line; for summaries and announcements. */
export function plain(text) {
  return onOneLine(text)
    .map((piece) => piece.text ?? piece)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** The same, in which custom emojis are nodes still. @returns {Array<string|Object>} */
export function onOneLine(text) {
  return flatten(parse(text));
}

function flatten(nodes) {
  return nodes.flatMap((node) => {
    if (typeof node === "string" || node.kind === "emoji") return [node];
    const words = node.text === undefined ? flatten(node.children ?? []) : [node.text];
    return node.block ? [" ", ...words, " "] : words;
  });
}

/* Blocks */

function blocks(text, depth) {
  const found = [];
  let prose = [];
  const finishProse = () => {
    if (prose.length) found.push(...inline(prose.join("\n"), depth));
    prose = [];
  };
  let rest = text;
  while (rest) {
    const block = prose.length && inFence(prose) ? null : blockAt(rest, depth);
    if (block) {
      finishProse();
      found.push(block.node);
      rest = rest.slice(block.length);
      continue;
    }
    const end = rest.indexOf("\n");
    prose.push(end < 0 ? rest : rest.slice(0, end));
    rest = end < 0 ? "" : rest.slice(end + 1);
    if (end >= 0 && !rest) prose.push("");
  }
  finishProse();
  return found;
}

/** Whether the lines so far opened a code block that is still open; a `#` in there is no heading. */
function inFence(lines) {
  return lines.join("\n").split("```").length % 2 === 0;
}

function blockAt(text, depth) {
  if (depth >= DEEPEST) return null;
  return fence(text) ?? heading(text, depth) ?? subtext(text, depth) ?? quote(text, depth) ?? list(text, depth);
}

function fence(text) {
  const match = /^```(?:([a-z0-9_+\-.#]+)\n)?\n*([^\n][\s\S]*?)\n*```(?:\n|$)/i.exec(text);
  return (
    match && {
      length: match[0].length,
      node: { kind: "fence", block: true, language: match[1] ?? "", text: match[2] },
    }
  );
}

function heading(text, depth) {
  const match = /^(#{1,3}) +([^\n]*[^\s][^\n]*)(?:\n|$)/.exec(text);
  if (!match) return null;
  const children = inline(match[2].trim(), depth + 1);
  return { length: match[0].length, node: { kind: "heading", block: true, level: match[1].length, children } };
}

function subtext(text, depth) {
  const match = /^-# +([^\n]*[^\s][^\n]*)(?:\n|$)/.exec(text);
  if (!match) return null;
  return {
    length: match[0].length,
    node: { kind: "subtext", block: true, children: inline(match[1].trim(), depth + 1) },
  };
}

function quote(text, depth) {
  const all = /^>>> +([\s\S]*)$/.exec(text);
  if (all)
    return { length: text.length, node: { kind: "quote", block: true, children: blocks(all[1], depth + 1) } };
  const lines = /^(?:> [^\n]*(?:\n|$))+/.exec(text);
  if (!lines) return null;
  const inner = lines[0].replace(/\n$/, "").replace(/^> /gm, "");
  return { length: lines[0].length, node: { kind: "quote", block: true, children: blocks(inner, depth + 1) } };
}

const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S[^\n]*)(?:\n|$)/;

function list(text, depth) {
  const first = ITEM.exec(text);
  if (!first) return null;
  const node = {
    kind: "list",
    block: true,
    start: parseInt(first[2], 10) || 0,
    ordered: /\d/.test(first[2]),
    children: [],
  };
  let length = 0;
  for (;;) {
    const rest = text.slice(length);
    const match = ITEM.exec(rest);
    if (!match || match[1].length < first[1].length) break;
    const sameLevel = match[1].length <= first[1].length + 1;
    if (sameLevel && /\d/.test(match[2]) !== node.ordered) break;
    if (!sameLevel && depth + 1 < DEEPEST) {
      const inner = list(rest, depth + 1);
      node.children.at(-1).children.push(inner.node);
      length += inner.length;
    } else {
      node.children.push({ kind: "item", block: true, children: inline(match[3], depth + 1) });
      length += match[0].length;
    }
  }
  return { length, node };
}

/* Inline */

/** Each rule: where it may begin, and what it makes of a match; the first that matches wins. */
const RULES = [
  [/\\([^0-9A-Za-z\s])/y, (match) => match[1]],
  [
    /```(?:([a-z0-9_+\-.#]+)\n)?\n*([^\n][\s\S]*?)\n*```\n?/iy,
    (match) => ({ kind: "fence", block: true, language: match[1] ?? "", text: match[2] }),
  ],
  [/(`{1,2})(?!`)([\s\S]*?[^`])\1(?!`)/y, (match) => ({ kind: "code", text: match[2].trim() || match[2] })],
  [/<@!?(\d{1,20})>/y, (match) => ({ kind: "user", id: match[1] })],
  [/<@&(\d{1,20})>/y, (match) => ({ kind: "role", id: match[1] })],
  [/<#(\d{1,20})>/y, (match) => ({ kind: "channel", id: match[1] })],
  [/<\/([-_'\p{L}\p{N} ]{1,100}):(\d{1,20})>/uy, (match) => ({ kind: "command", text: `/${match[1]}` })],
  [/<a?:(\w{2,32}):(\d{1,20})>/y, (match) => ({ kind: "emoji", id: match[2], name: match[1], text: `:${match[1]}:` })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y,
    (match) => ({ kind: "time", unix: Number(match[1]), style: match[2] }),
  ],
  [/@(everyone|here)\b/y, (match) => ({ kind: "everyone", text: match[0] })],
  [/\[([^\[\]\n]+)\]\(<?(https?:\/\/[^\s<>()]+)>?(?: +"[^"\n]*")?\)/y, masked],
  [/<(https?:\/\/[^\s<>]+)>/y, (match) => ({ kind: "link", url: match[1], text: match[1] })],
  [/https?:\/\/[^\s<]+[^\s<.,:;"'\])!?*_~|]/y, (match) => ({ kind: "link", url: match[0], text: match[0] })],
  [
    /\*\*\*((?:\\[\s\S]|[^\\])+?)\*\*\*(?!\*)/y,
    (match, depth) => styled("italic", [styled("bold", inline(match[1], depth))]),
  ],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, (match, depth) => styled("bold", inline(match[1], depth))],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, (match, depth) => styled("underline", inline(match[1], depth))],
  [/~~((?:\\[\s\S]|[^\\])+?)~~/y, (match, depth) => styled("strike", inline(match[1], depth))],
  [/\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y, (match, depth) => styled("spoiler", inline(match[1], depth))],
  [/\*(?![\s*])((?:\\[\s\S]|\*\*|[^\\*])+?)\*(?!\*)/y, emphasis],
  [
    /(?<![\p{L}\p{N}])_((?:__|\\[\s\S]|[^\\_])+?)_(?![\p{L}\p{N}_])/uy,
    (match, depth) => styled("italic", inline(match[1], depth)),
  ],
];

const MAY_BEGIN = /[\\`<@[*_~|h]/g;

function inline(text, depth) {
  if (depth >= DEEPEST) return [text];
  const nodes = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    MAY_BEGIN.lastIndex = at;
    const next = MAY_BEGIN.exec(text);
    if (!next) break;
    at = next.index;
    const found = ruleAt(text, at, depth + 1);
    if (!found) {
      at += 1;
      continue;
    }
    if (from < at) nodes.push(text.slice(from, at));
    nodes.push(found.node);
    at += found.length;
    from = at;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

function ruleAt(text, at, depth) {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const node = match && make(match, depth);
    if (node) return { node, length: match[0].length };
  }
  return null;
}

function styled(kind, children) {
  return { kind, children };
}

function emphasis(match, depth) {
  return /\s$/.test(match[1]) ? null : styled("italic", inline(match[1], depth));
}

/** `[words](address)`; words that are themselves an address could lie about it, so Discord leaves them be. */
function masked(match, depth) {
  if (/https?:\/\//i.test(match[1])) return null;
  return { kind: "link", url: match[2], children: inline(match[1], depth) };
}
