// Both hands over the whole game: the curve that long games are recognised by.
const SVG = "http://www.w3.org/2000/svg";
const CHART = { width: 600, height: 330, left: 34, right: 8, top: 12, bottom: 56, lane: 26 };
const EACH_CARD = 500; // cards of a game up to which the curve has a point for each
const EACH_PAYMENT = 300; // and each payment card a mark of its own

function add(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  byId("chart").append(element);
  return element;
}

const chartRight = CHART.width - CHART.right;
const chartBottom = CHART.height - CHART.bottom;
const chartX = (cards) => CHART.left + ((chartRight - CHART.left) * cards) / Math.max(1, replay.end.cards);
const chartY = (held) => chartBottom - ((chartBottom - CHART.top) * held) / replay.size;

// A round number of which some three to five fit.
function tick(most) {
  const raw = Math.max(1, most / 4);
  const scale = 10 ** Math.floor(Math.log10(raw));
  return Math.ceil(scale * [1, 2, 2.5, 5, 10].find((factor) => factor * scale >= raw));
}

// How many cards each hand has, by cards played.
function held() {
  if (replay.end.cards > EACH_CARD) return replay.curve.map(([cards, a]) => [cards, a, replay.size - a]);
  const points = [];
  for (let at = 0; at <= replay.steps; at += 1) {
    const { cards, hands } = replay.go(at);
    points.push([cards, hands[0].length, hands[1].length]);
  }
  return points;
}

function drawChart() {
  byId("chart").textContent = "";
  const { loop, end } = replay;
  if (loop) {
    const start = chartX(loop.transientCards);
    const width = chartRight - start;
    add("rect", { class: "cycle", x: start, y: CHART.top, width, height: chartBottom - CHART.top + CHART.lane });
    add("text", { class: "cycle-name", x: chartRight - 6, y: CHART.top + 15, "text-anchor": "end" }, "the cycle");
  }
  for (const cards of new Set([0, 1, 2, 3, 4].map((quarter) => (replay.size * quarter) / 4))) {
    if (!Number.isInteger(cards)) continue;
    add("line", { class: "grid", x1: CHART.left, x2: chartRight, y1: chartY(cards), y2: chartY(cards) });
    add("text", { x: CHART.left - 5, y: chartY(cards) + 4, "text-anchor": "end" }, shown(cards));
  }
  drawPayments();
  const gap = tick(end.cards);
  const foot = chartBottom + CHART.lane + 4;
  for (let cards = 0; cards <= end.cards; cards += gap) {
    add("line", { class: "grid", x1: chartX(cards), x2: chartX(cards), y1: foot, y2: foot + 4 });
    const anchor = !cards ? "start" : chartX(cards) > chartRight - 20 ? "end" : "middle";
    add("text", { x: chartX(cards), y: foot + 20, "text-anchor": anchor }, shown(cards) + (cards ? "" : " cards played"));
  }
  const points = held();
  for (const player of [1, 0]) {
    const line = points.map((point) => chartX(point[0]).toFixed(1) + " " + chartY(point[1 + player]).toFixed(1));
    add("path", { class: "curve of-" + "ab"[player], d: "M" + line.join("L") });
  }
  replay.calls.forEach((call, player) => {
    if (!call) return;
    const mark = add("circle", { class: "call of-" + "ab"[player], r: 5, cx: chartX(call.cards), cy: chartY(call.held) });
    const title = document.createElementNS(SVG, "title");
    title.textContent = callText(call, player);
    mark.append(title);
  });
  add("line", { class: "now", id: "now", y1: CHART.top, y2: chartBottom + CHART.lane });
  for (const name of "ba") add("circle", { class: "dot of-" + name, id: "dot-" + name, r: 4.5 });
  describeChart();
}

// Payment cards, each by itself or, of long games, how many there are.
function drawPayments() {
  const base = chartBottom + CHART.lane;
  const cards = replay.tricks.map(({ pile }) => pile).join("") + replay.end.pile.map(({ card }) => SYMBOLS[card]).join("");
  add("line", { class: "grid", x1: CHART.left, x2: chartRight, y1: base, y2: base });
  if (cards.length <= EACH_PAYMENT) {
    for (const [i, symbol] of Array.from(cards).entries()) {
      if (symbol === "-") continue;
      const x = chartX(i + 1);
      add("line", { class: "payment " + symbol, x1: x, x2: x, y1: base, y2: base - 5 * SYMBOLS.indexOf(symbol) });
    }
    return;
  }
  const bins = new Array(140).fill(0);
  for (let i = 0; i < cards.length; i += 1) {
    if (cards[i] !== "-") bins[Math.floor((i * bins.length) / cards.length)] += SYMBOLS.indexOf(cards[i]);
  }
  const most = Math.max(...bins);
  const step = (chartRight - CHART.left) / bins.length;
  const bars = bins.map((sum, i) =>
    "M" + (CHART.left + (i + 0.5) * step).toFixed(1) + " " + base + "v" + (-20 * (sum / most)).toFixed(1));
  add("path", { class: "payments", "stroke-width": step * 0.75, d: bars.join("") });
}

const callText = (call, player) =>
  "Player " + PLAYERS[player] + " is down to " + many(call.held, "card") + " after " + many(call.cards, "card");

function describeChart() {
  const starts = replay.curve.map((point) => point[1]);
  const before = starts.length > 1 ? starts.slice(0, -1) : starts;
  const [least, most] = before.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [starts[0], starts[0]]);
  const text = "Hand A begins with " + many(starts[0], "card") + ", holds between " + shown(least) + " and " +
    many(most, "card") + " at the starts of rounds, and has " + shown(starts[starts.length - 1]) + " at the " +
    (replay.loop ? "repetition." : "end.");
  byId("chart").setAttribute("aria-label", text);
  byId("chart-note").textContent = text + (replay.loop ? " The shaded part is the cycle." : "") +
    " The marks below the curve are payment cards.";
  byId("calls").textContent = "";
  replay.calls.forEach((call, player) => {
    if (!call) return;
    const button = document.createElement("button");
    button.textContent = PLAYERS[player] + ": " + many(call.held, "card") + " left";
    button.title = callText(call, player);
    button.addEventListener("click", () => jump(call.step));
    byId("calls").append(button);
  });
  byId("calls-part").hidden = !replay.calls.some(Boolean);
}

function drawNow(game) {
  const x = chartX(game.cards);
  byId("now").setAttribute("x1", x);
  byId("now").setAttribute("x2", x);
  for (const player of [0, 1]) {
    const dot = byId("dot-" + "ab"[player]);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", chartY(heldNow(game, player)));
  }
}

// Where the curve has a point only for each round, the dot stays on the line between them.
function heldNow(game, player) {
  if (replay.end.cards <= EACH_CARD) return game.hands[player].length;
  const begun = replay.roundsBegun(step);
  const [from, a] = replay.curve[begun - 1];
  const [to, next] = replay.curve[Math.min(begun, replay.curve.length - 1)];
  const share = to > from ? (game.cards - from) / (to - from) : 0;
  const value = a + share * (next - a);
  return player ? replay.size - value : value;
}

// The chart is a way of going to a place.
function listenToChart() {
  let dragging = false;
  const seek = (event, go) => {
    const box = byId("chart").getBoundingClientRect();
    const x = ((event.clientX - box.left) * CHART.width) / box.width;
    const share = Math.max(0, Math.min(1, (x - CHART.left) / (chartRight - CHART.left)));
    go(replay.stepOfCards(Math.round(share * replay.end.cards)));
  };
  byId("chart").addEventListener("pointerdown", (event) => {
    dragging = true;
    seek(event, jump);
  });
  addEventListener("pointermove", (event) => dragging && seek(event, slide));
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (dragging = false));
}
