// The table: both hands and the pile, and cards that move between them.
const CARDS_SHOWN = 260; // of a hand; more would make a step slow to draw
const MOVING = 12; // cards a second; above, nobody can follow a card that moves

const byId = (id) => document.getElementById(id);
const noMotion = matchMedia("(prefers-reduced-motion: reduce)");

// Let an element show cards, changing only what differs.
function drawCards(element, cards, gone) {
  const count = Math.min(cards.length, CARDS_SHOWN);
  while (element.childElementCount > count) element.lastElementChild.remove();
  while (element.childElementCount < count) element.append(document.createElement("span"));
  let span = element.firstElementChild;
  for (let i = 0; i < count; i += 1) {
    const { card, player } = cards[i];
    const name = "card" + (card ? " " + SYMBOLS[card] : "") + (player === 1 ? " of-b" : "") + (gone ? " gone" : "");
    if (span.className !== name) span.className = name;
    span = span.nextElementSibling;
  }
  if (cards.length > count) element.dataset.more = "and " + shown(cards.length - count) + " more";
  else delete element.dataset.more;
}

function drawTable(game) {
  const over = game.winner !== null;
  for (const player of [0, 1]) {
    const name = "ab"[player];
    const hand = game.hands[player];
    drawCards(byId("hand-" + name), hand.map((card) => ({ card, player: 0 })), false);
    byId("count-" + name).textContent = many(hand.length, "card");
    const row = byId("row-" + name);
    row.classList.toggle("to-play", over ? game.winner === player : game.player === player);
    row.classList.toggle("due", game.player === player && game.penalty > 0);
    row.querySelector(".turn").textContent =
      over ? "has won" : game.penalty ? "owes " + game.penalty : game.pile.length ? "to play" : "leads";
  }
  // Of an empty pile the trick that has just gone is shown, or nobody could see how it ended.
  const gone = !game.pile.length && game.last !== null;
  drawCards(byId("pile"), gone ? game.last.pile : game.pile, gone);
  byId("count-pile").textContent = gone
    ? "empty; " + PLAYERS[game.last.collects] + " took " + many(game.last.pile.length, "card")
    : many(game.pile.length, "card");
}

// The hands and the pile to those who do not see them.
function labelTable(game) {
  for (const player of [0, 1]) {
    const cards = game.hands[player].map((card) => ({ card }));
    byId("hand-" + "ab"[player]).setAttribute("aria-label", "Hand " + PLAYERS[player] + ": " + runs(cards));
  }
  byId("pile").setAttribute("aria-label", "Pile: " + runs(game.pile));
}

// Rows are kept free for all cards, so that nothing jumps when a hand grows.
function sizeTable(size) {
  const rows = (columns) => Math.min(4, Math.ceil(Math.min(size, CARDS_SHOWN) / columns));
  const table = byId("table");
  table.style.setProperty("--rows-wide", rows(26));
  table.style.setProperty("--rows-narrow", rows(18));
  table.classList.toggle("few", size <= 24);
}

const placeOf = (element) => element && element.getBoundingClientRect();

// Where the card that is laid next lies, and those of the pile.
function placesBefore(game) {
  return {
    top: game.hands[game.player].length ? placeOf(byId("hand-" + "ab"[game.player]).firstElementChild) : null,
    pile: game.pile.length ? Array.from(byId("pile").children, placeOf) : [],
  };
}

// Move the cards of the last step from where they were.
function moveCards(before, game, milliseconds) {
  const { card, collects, pile } = game.last;
  if (card !== null && before.top) move(byId("pile").children[pile.length - 1], before.top, milliseconds);
  if (collects === null) return;
  const hand = byId("hand-" + "ab"[collects]).children;
  const first = game.hands[collects].length - pile.length;
  pile.forEach((_, i) => move(hand[first + i], before.pile[i] || before.top, milliseconds));
}

function move(element, from, milliseconds) {
  if (!element || !from) return;
  const to = placeOf(element);
  const shift = "translate(" + (from.left - to.left) + "px, " + (from.top - to.top) + "px)";
  element.animate([{ transform: shift }], { duration: milliseconds, easing: "ease-out" });
}
