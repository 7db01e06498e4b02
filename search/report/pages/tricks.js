// The list of tricks: only the rows in sight are there, so that a long game costs no more than a short one.
const ROW = 28; // pixels

let following = true; // not while somebody scrolls in the list
let firstRow = -1;

function listTricks() {
  const list = byId("tricks-list");
  byId("tricks-all").style.height = replay.tricks.length * ROW + "px";
  byId("tricks-count").textContent = many(replay.tricks.length, "trick");
  byId("tricks-end").textContent = replay.loop
    ? "After the last of these, trick " + shown(replay.loop.transientTricks + 1) + " comes again."
    : "";
  firstRow = -1;
  list.scrollTop = 0;
}

// The trick that is being played, or was played last.
const trickNow = () => Math.min(replay.tricks.length, replay.roundsBegun(step)) - 1;

// Bring the trick that is being played into sight.
function followTricks() {
  const list = byId("tricks-list");
  const top = trickNow() * ROW;
  if (following && (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight)) {
    list.scrollTop = top - 2 * ROW;
  }
  drawTricks();
}

function drawTricks() {
  const list = byId("tricks-list");
  const now = trickNow();
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 2);
  if (first !== firstRow) {
    firstRow = first;
    const last = Math.min(replay.tricks.length, first + Math.ceil(list.clientHeight / ROW) + 5);
    byId("tricks-all").replaceChildren(...Array.from({ length: last - first }, (_, i) => trickRow(first + i)));
  }
  for (const row of byId("tricks-all").children) {
    row.setAttribute("aria-selected", Number(row.dataset.trick) === now);
  }
  if (byId("trick-" + now)) list.setAttribute("aria-activedescendant", "trick-" + now);
  else list.removeAttribute("aria-activedescendant");
}

function trickRow(trick) {
  const { by, pile } = replay.tricks[trick];
  const [, a] = replay.curve[trick + 1];
  const row = document.createElement("div");
  row.id = "trick-" + trick;
  row.dataset.trick = trick;
  row.className = "trick" + (replay.loop && trick >= replay.loop.transientTricks ? " in-cycle" : "");
  row.style.top = trick * ROW + "px";
  row.setAttribute("role", "option");
  row.setAttribute("aria-label", "Trick " + shown(trick + 1) + ": " + PLAYERS[by] + " takes " +
    many(pile.length, "card") + ", then A has " + a + " and B " + (replay.size - a));
  const cell = (name, text) => {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = text;
    row.append(span);
    return span;
  };
  cell("number", shown(trick + 1));
  const cards = cell("cards-of-trick", "");
  for (const [part] of pile.matchAll(/-+|[JQKA]/g)) {
    const span = document.createElement("span");
    if (part[0] !== "-") span.className = part;
    span.textContent = part;
    cards.append(span);
  }
  cell("takes of-" + "ab"[by], PLAYERS[by] + " +" + pile.length);
  cell("hold", a + " : " + (replay.size - a));
  return row;
}

function listenToTricks() {
  const list = byId("tricks-list");
  list.addEventListener("scroll", drawTricks);
  for (const name of ["wheel", "touchstart", "pointerdown"]) {
    list.addEventListener(name, () => (following = false), { passive: true });
  }
  for (const name of ["pointerleave", "touchend"]) list.addEventListener(name, () => (following = true));
  list.addEventListener("click", (event) => {
    const row = event.target.closest(".trick");
    if (!row) return;
    jump(replay.roundSteps[Number(row.dataset.trick)]);
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    following = true;
    const trick = Math.max(0, Math.min(replay.tricks.length - 1, trickNow() + by));
    if (replay.tricks.length) jump(replay.roundSteps[trick]);
  });
}
