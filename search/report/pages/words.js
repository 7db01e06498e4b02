// What the page says in words.
const NAMES = ["number card", "Jack", "Queen", "King", "Ace"];
const PLAYERS = "AB";

const shown = (number) => number.toLocaleString("en");
const many = (number, noun) => shown(number) + " " + noun + (number === 1 ? "" : "s");
const article = (card) => (card === 4 ? "an " : "a ") + NAMES[card];

// Cards in words, with what follows one another taken together.
function runs(cards) {
  const words = [];
  for (let i = 0; i < cards.length; ) {
    let j = i;
    while (j < cards.length && cards[j].card === cards[i].card) j += 1;
    words.push(j - i > 1 ? j - i + " " + NAMES[cards[i].card] + "s" : NAMES[cards[i].card]);
    i = j;
  }
  return words.join(", ") || "empty";
}

// What the last step was, in a sentence or two.
function happened(game) {
  const { player, card, collects, pile } = game.last;
  const said = [];
  if (card === null) said.push(PLAYERS[player] + " has no card left to play.");
  else said.push(laid(game, pile, player, card));
  if (collects !== null) said.push(PLAYERS[collects] + " takes " + many(pile.length, "card") + ".");
  return said.join(" ");
}

function laid(game, pile, player, card) {
  const before = pile.slice(0, -1).findLastIndex((earlier) => earlier.card);
  const who = PLAYERS[player];
  const owes = card ? PLAYERS[1 - player] + " owes " + card : "";
  if (before < 0) return who + " lays " + article(card) + (card ? ": " + owes : "") + ".";
  const demanded = pile[before].card;
  const paid = pile.slice(before + 1);
  const cards = paid.map((each) => SYMBOLS[each.card]).join("");
  const share = card || paid.length === demanded ? shown(paid.length) : paid.length + " of " + demanded;
  return who + " pays " + share + " for the " + NAMES[demanded] + ": " + cards + (card ? ", now " + owes : "") + ".";
}

// How a game ends, or that it does not.
function ending({ end, loop }) {
  if (loop) {
    return "The game never ends: after " + many(loop.transientCards, "card") + " and " +
      many(loop.transientTricks, "trick") + " it repeats the same " + many(loop.cycleCards, "card") + " and " +
      many(loop.cycleTricks, "trick") + ".";
  }
  return "Player " + PLAYERS[end.winner] + " wins after " + many(end.cards, "card") + " and " +
    many(end.tricks, "trick") + ".";
}

function titleOf({ end, loop }) {
  if (loop) {
    return "A game of Camicia without end: a cycle of " + many(loop.cycleCards, "card") + " and " +
      many(loop.cycleTricks, "trick");
  }
  return "A game of Camicia: " + many(end.cards, "card") + ", " + many(end.tricks, "trick");
}

// So many seconds, as one would say it.
function time(seconds) {
  if (seconds < 59.5) return Math.max(1, Math.round(seconds)) + " s";
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes >= 60) return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  return minutes + " min " + (Math.round(seconds) % 60) + " s";
}
