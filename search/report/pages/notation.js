// Reads a deal in the notations of other programs, by the rules of camicia.notation: every reading of the text is
// tried, and only where all of them give one deal is it taken.

const MOST_CHARACTERS = 1_000_000;
const MOST_CARDS = 65_535;
// One deck without a mark between the hands is cut if it has so many cards.
const DECK_SIZES = [52, 40];

const SUIT = "[SHDCshdc♠♥♦♣♤♡♢♧]\ufe0f?";
const FACE = "(?:10|[02-9TXJQKAtxjqka])";
const payment = (text) => Math.max(0, SYMBOLS.indexOf(text.toUpperCase()));
const bare = (card) => payment(card.replace(new RegExp(SUIT, "gu"), ""));
const playing = (card) => ({ 1: 4, 11: 1, 13: 2, 14: 3 })[card.codePointAt(0) & 15] || 0;

// Every way in which a card may be written: what it looks like, and its code.
const FACES = {
  symbols: ["[-‐‑−JQKAjqka]", payment],
  dots: ["[.JQKAjqka]", payment],
  faces: ["10|[2-9TXJQKAtxjqka]", payment],
  digits: ["[01234]", Number],
  suits: [FACE + SUIT, bare],
  "suit-first": [SUIT + FACE, bare],
  "playing-cards": [
    [0x1f0a0, 0x1f0b0, 0x1f0c0, 0x1f0d0]
      .map((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14].map((place) => String.fromCodePoint(suit + place)))
      .flat().join("|"),
    playing,
  ],
};
for (const face of Object.values(FACES)) face.push(new RegExp("[\\s,;]*(" + face[0] + ")", "uy"));

// A hand in one way of writing cards: its symbols, or how far it could be read.
function readHand(text, [, code, pattern]) {
  let cards = "";
  let at = 0;
  for (;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) break;
    cards += SYMBOLS[code(match[1])];
    at = pattern.lastIndex;
  }
  at += /^[\s,;]*/.exec(text.slice(at))[0].length;
  return at === text.length ? cards : at;
}

const PLAYER = "(?:player|hand|p|deck)?[ _]?";
const LABEL_A = new RegExp("^" + PLAYER + "(?:1|a|one)\\s*[:=]", "i");
const LABEL_B = new RegExp("(?<![^\\s,;])" + PLAYER + "(?:2|b|two)\\s*[:=]", "i");
const PREFIX = /^(?:starting\s+)?(?:hands|deal|deck)\s*:/i;
const QUOTED = /'([^']*)'|"([^"]*)"/g;
const BRACKETS = /[[({]([^[\](){}]*)[\])}]/g;
const WRAPPING = /[\s,;[\](){}]/g;
const HAND_KEYS = [["playera", "playerb"], ["handa", "handb"], ["player1", "player2"], ["hand1", "hand2"], ["p1", "p2"], ["a", "b"], ["1", "2"]];

// Every way of taking a text apart into two hands or one deck, each with its name.
function takenApart(whole) {
  let text = whole.replace(PREFIX, "").trim();
  const label = LABEL_A.exec(text);
  if (label) {
    const rest = text.slice(label[0].length);
    const other = LABEL_B.exec(rest);
    if (!other) throw new SyntaxError("it has " + label[0] + " but no second hand, such as 2:");
    return [["labels", rest.slice(0, other.index), rest.slice(other.index + other[0].length)]];
  }
  if (text.startsWith("{") && text.includes(":")) return ofJson(text);
  const strings = [...text.matchAll(QUOTED)];
  if (strings.length === 2 && !text.replace(QUOTED, "").replace(WRAPPING, "")) {
    return [["pair", ...strings.map((match) => match[1] ?? match[2])]];
  }
  if (strings.length) text = text.replace(/['"]/g, " ");
  const groups = [...text.matchAll(BRACKETS)];
  if (groups.length && !text.replace(BRACKETS, "").replace(WRAPPING, "")) {
    if (groups.length === 2) return [["pair", ...groups.map((match) => match[1])]];
    if (groups.length === 1) text = groups[0][1];
  }
  return separated(text.trim());
}

function separated(text) {
  for (const [name, mark, pattern] of [["slash", "/", "/"], ["bar", "|", /\|+/]]) {
    if (!text.includes(mark)) continue;
    const hands = text.split(pattern);
    if (hands.length !== 2) throw new SyntaxError("it has " + hands.length + " hands with “" + mark + "” between, expected two");
    return [[name, ...hands]];
  }
  const ways = [];
  const splits = [["lines", "\n"], ["space", /\s+/], ["space", /\s{2,}/], ["space", "\t"], ["space", ";"], ["space", ","]];
  if (text.split("-").length === 2) splits.push(["hyphen", "-"]);
  for (const [name, pattern] of splits) {
    const hands = text.split(pattern).map((hand) => hand.trim()).filter(Boolean);
    if (hands.length === 2) ways.push([name, ...hands]);
  }
  return [...ways, ["deck", text]];
}

function ofJson(text) {
  let document;
  try {
    document = JSON.parse(text.includes('"') ? text : text.replaceAll("'", '"'));
  } catch {
    throw new SyntaxError("it starts like JSON but is none");
  }
  return ofObject(document);
}

function ofObject(document) {
  const plain = Object.fromEntries(
    Object.entries(document).map(([key, value]) => [key.replace(/[_ ]/g, "").toLowerCase(), value]));
  for (const [a, b] of HAND_KEYS) {
    if (a in plain && b in plain) return [["json", ...[plain[a], plain[b]].map(handOfJson)]];
  }
  for (const inner of [plain.input, plain.deal]) {
    if (typeof inner === "string") return takenApart(inner.trim());
    if (inner && typeof inner === "object") return ofObject(inner);
  }
  throw new SyntaxError("it is JSON without playerA and playerB, or deal");
}

function handOfJson(value) {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((card) => /^.{1,4}$/u.test(card) && typeof card !== "boolean")) {
    throw new SyntaxError("a hand of this JSON is no list of cards");
  }
  return value.join(", ");
}

// The two hands of a text, in the library's notation. What is wrong is a SyntaxError.
function readDeal(text) {
  if (/^\s*[-JQKA]*\/[-JQKA]*\s*$/.test(text)) return checkedHands(text.trim().split("/"));
  if (text.length > MOST_CHARACTERS) throw new SyntaxError("it is too long");
  const plain = text.replace(/^\ufeff+/, "").trim();
  if (!plain) throw new SyntaxError("it has no card");
  const readings = new Map();
  // Hyphens alone are number cards, or one of them is the mark between the hands.
  const onlySymbols = typeof readHand(plain, FACES.symbols) === "string";
  let fault = { reached: -1, text: "" };
  const wrong = (reached, message) => {
    if (reached > fault.reached) fault = { reached, text: message };
  };
  for (const [layout, ...parts] of takenApart(plain)) {
    if (layout === "hyphen" && onlySymbols) {
      wrong(plain.length, "the hyphen may be a card or the mark between the hands; put a slash between them");
      continue;
    }
    for (const [name, face] of Object.entries(FACES)) {
      const hands = parts.map((part) => readHand(part, face));
      const bad = hands.findIndex((hand) => typeof hand === "number");
      if (bad >= 0) {
        const place = hands[bad];
        const card = String.fromCodePoint(parts[bad].codePointAt(place));
        wrong((bad ? parts[0].length : 0) + place, "“" + card + "” is no card that can be told here");
      } else if (layout === "deck" && !DECK_SIZES.includes(hands[0].length)) {
        wrong(plain.length, "there is no mark between the hands; put a slash between them");
      } else {
        const both = layout === "deck" ? cut(hands[0]) : hands;
        readings.set(both.join("/"), { both, name, layout });
      }
    }
  }
  if (!readings.size) throw new SyntaxError(fault.text);
  if (readings.size > 1) {
    const short = (deal) => (deal.length > 24 ? deal.slice(0, 24) + "…" : deal);
    throw new SyntaxError("it may be " + [...readings.keys()].map(short).join(" or ") + "; write it with - J Q K A and a slash");
  }
  return checkedHands([...readings.values()][0].both);
}

function checkedHands(hands) {
  const size = hands[0].length + hands[1].length;
  if (!size) throw new SyntaxError("it has no card");
  if (size > MOST_CARDS) throw new SyntaxError("it has " + size.toLocaleString("en") + " cards, too many to play");
  return hands;
}
