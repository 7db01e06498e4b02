// Shows one place of the replay, and moves about in it.
const CARDS_SHOWN = 260; // of a hand; more would make a step slow to draw
const SPEEDS = [1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000]; // cards a second
const CHART = { width: 600, height: 330, left: 34, right: 8, top: 10, bottom: 26 };

const byId = (id) => document.getElementById(id);
const shown = (number) => number.toLocaleString("en");
const many = (number, noun) => shown(number) + " " + noun + (number === 1 ? "" : "s");

const replay = new Replay(DATA.handA, DATA.handB);
let step = 0;
let turns = 0; // turns of the cycle played beyond the first; only of a loop
let timer = null;

function drawCards(element, cards, name) {
  element.textContent = "";
  for (const { card, player } of cards.slice(0, CARDS_SHOWN)) {
    const span = document.createElement("span");
    span.className = "card" + (card ? " " + SYMBOLS[card] : "") + (player === 1 ? " of-b" : "");
    element.append(span);
  }
  if (cards.length > CARDS_SHOWN) {
    const more = document.createElement("span");
    more.className = "more";
    more.textContent = "and " + shown(cards.length - CARDS_SHOWN) + " more";
    element.append(more);
  }
  element.setAttribute("aria-label", name + ": " + runs(cards));
}

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

function lengths(game) {
  const loop = replay.loop;
  return {
    cards: game.cards + (loop ? turns * loop.cycleCards : 0),
    tricks: game.tricks + (loop ? turns * loop.cycleTricks : 0),
  };
}

// What has just happened, in a sentence.
function sentence(game) {
  if (!step && !turns) return game.winner === null ? "The deal. A leads." : ending();
  const { player, card, collects, pile } = game.last;
  const said = [];
  if (card === null) said.push("AB"[player] + " has no card left.");
  else said.push("AB"[player] + " lays a " + NAMES[card] + ".");
  if (collects !== null) said.push("AB"[collects] + " collects " + many(pile.length, "card") + ".");
  else if (game.penalty) said.push("AB"[game.player] + " owes " + game.penalty + ".");
  if (step === replay.steps) said.push(ending());
  return said.join(" ");
}

function ending() {
  const { end, loop } = replay;
  if (loop) {
    return "The game never ends: after " + many(loop.transientCards, "card") + " and " +
      many(loop.transientTricks, "trick") + " it repeats the same " + many(loop.cycleCards, "card") + " and " +
      many(loop.cycleTricks, "trick") + ".";
  }
  return "Player " + "AB"[end.winner] + " wins after " + many(end.cards, "card") + " and " +
    many(end.tricks, "trick") + ".";
}

function draw() {
  const game = replay.go(step);
  const played = lengths(game);
  byId("cards").textContent = shown(played.cards);
  byId("tricks").textContent = shown(played.tricks);
  byId("due").textContent = game.penalty ? "Player " + "AB"[game.player] + ": " + game.penalty : "-";
  const over = game.winner !== null;
  for (const player of [0, 1]) {
    const name = "ab"[player];
    drawCards(byId("hand-" + name), game.hands[player].map((card) => ({ card, player: 0 })), "Hand " + "AB"[player]);
    byId("count-" + name).textContent = many(game.hands[player].length, "card");
    const row = byId("row-" + name);
    row.classList.toggle("to-play", over ? game.winner === player : game.player === player);
    row.classList.toggle("due", game.player === player && game.penalty > 0);
    row.querySelector(".turn").textContent =
      over ? "has won" : game.penalty ? "owes " + game.penalty : game.pile.length ? "to play" : "leads";
  }
  drawCards(byId("pile"), game.pile, "Pile");
  byId("count-pile").textContent = many(game.pile.length, "card");
  byId("said").textContent = sentence(game);
  const place = byId("place");
  place.value = step;
  place.setAttribute("aria-valuetext",
    many(played.cards, "card") + ", " + many(played.tricks, "trick") + " of " + shown(replay.end.tricks));
  for (const id of ["first", "back", "trick-back"]) byId(id).disabled = step === 0 && !turns;
  for (const id of ["last", "forth", "trick-forth"]) byId(id).disabled = step === replay.steps && !replay.loop;
  drawNow(game);
}

// Says where we are to those who do not see it; not while the game runs, which would be a flood.
function say() {
  const game = replay.go(step);
  const played = lengths(game);
  byId("live").textContent =
    sentence(game) + " " + many(played.cards, "card") + ", " + many(played.tricks, "trick") + ".";
}

function goTo(where) {
  step = Math.max(0, Math.min(replay.steps, where));
  draw();
  if (timer === null) say();
}

function on(steps) {
  let where = step + steps;
  if (replay.loop) {
    // The last step is the same state as that where the cycle begins.
    const cycle = replay.steps - replay.loop.step;
    while (where > replay.steps) {
      where -= cycle;
      turns += 1;
    }
    while (where <= replay.loop.step && turns) {
      where += cycle;
      turns -= 1;
    }
  }
  goTo(where);
}

function jump(where) {
  turns = 0;
  goTo(where);
}

function byTrick(direction) {
  const begun = replay.roundsBegun(step);
  const starts = replay.roundSteps;
  if (direction > 0) {
    if (step === replay.steps && replay.loop) on(starts[replay.roundsBegun(replay.loop.step)] - replay.loop.step);
    else on(begun < starts.length ? starts[begun] - step : 0);
  } else {
    const start = starts[begun - 1];
    on((start < step ? start : starts[Math.max(0, begun - 2)]) - step);
  }
}

function play() {
  if (!replay.loop && step === replay.steps) jump(0);
  let before = performance.now();
  let owed = 0;
  const frame = (now) => {
    owed += ((now - before) / 1000) * SPEEDS[byId("speed").value];
    before = now;
    const steps = Math.floor(owed);
    owed -= steps;
    if (steps) on(steps);
    if (!replay.loop && step === replay.steps) pause();
    else timer = requestAnimationFrame(frame);
  };
  timer = requestAnimationFrame(frame);
  byId("play").textContent = "Pause";
}

function pause() {
  cancelAnimationFrame(timer);
  timer = null;
  byId("play").textContent = "Play";
  say();
}

function changeSpeed(by) {
  const speed = byId("speed");
  speed.value = Number(speed.value) + by;
  showSpeed();
}

function showSpeed() {
  const text = many(SPEEDS[byId("speed").value], "card") + " a second";
  byId("speed-text").textContent = text;
  byId("speed").setAttribute("aria-valuetext", text);
}

// The place that the address names, if it names one.
function placeOfAddress() {
  const [name, value] = location.hash.slice(1).split("=");
  if (name === "end") jump(replay.steps);
  else if (name === "card" && /^\d+$/.test(value)) jump(replay.stepOfCards(Number(value)));
  else if (name === "trick" && /^\d+$/.test(value)) {
    jump(replay.roundSteps[Math.min(Number(value), replay.roundSteps.length - 1)]);
  }
}

const ACTIONS = {
  first: () => jump(0),
  "trick-back": () => byTrick(-1),
  back: () => on(-1),
  play: () => (timer === null ? play() : pause()),
  forth: () => on(1),
  "trick-forth": () => byTrick(1),
  last: () => jump(replay.steps),
};

for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", action);

const KEYS = {
  " ": "play", ArrowLeft: "back", ArrowRight: "forth", "Shift+ArrowLeft": "trick-back",
  "Shift+ArrowRight": "trick-forth", Home: "first", End: "last",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName;
  // A button is pressed with the space bar by itself, and a slider has its own arrows.
  if (tag === "BUTTON" && event.key === " ") return;
  if (tag === "INPUT" && event.key !== " " && !event.shiftKey) return;
  const action = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
  if (action) ACTIONS[action]();
  else if (event.key === "-") changeSpeed(-1);
  else if (event.key === "+" || event.key === "=") changeSpeed(1);
  else return;
  event.preventDefault();
});

byId("place").max = replay.steps;
byId("place").addEventListener("input", () => jump(Number(byId("place").value)));
byId("speed").addEventListener("input", showSpeed);
addEventListener("hashchange", placeOfAddress);

const { end, loop } = replay;
const cyclesMatch = !loop || (loop.cycleCards === DATA.cycleCards && loop.cycleTricks === DATA.cycleTricks);
if (end.cards !== DATA.cards || end.tricks !== DATA.tricks || !cyclesMatch) {
  byId("problem").textContent =
    "This page comes to another result than Camicia did: " + many(end.cards, "card") + ", " +
    many(end.tricks, "trick") + ".";
  byId("problem").hidden = false;
}

drawChart();
showSpeed();
draw();
placeOfAddress();
