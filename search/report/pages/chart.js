// The number of cards in hand A over the whole game: the curve that long games are recognised by.
const SVG = "http://www.w3.org/2000/svg";

function add(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  byId("chart").append(element);
  return element;
}

const chartX = (cards) =>
  CHART.left + ((CHART.width - CHART.left - CHART.right) * cards) / Math.max(1, replay.end.cards);
const chartY = (held) =>
  CHART.height - CHART.bottom - ((CHART.height - CHART.top - CHART.bottom) * held) / DATA.size;

// A round number of which some three to five fit.
function tick(most) {
  const raw = Math.max(1, most / 4);
  const scale = 10 ** Math.floor(Math.log10(raw));
  return scale * [1, 2, 5, 10].find((factor) => factor * scale >= raw);
}

function drawChart() {
  const right = CHART.width - CHART.right;
  const bottom = CHART.height - CHART.bottom;
  const { loop, end, curve } = replay;
  if (loop) {
    const start = chartX(loop.transientCards);
    add("rect", { class: "cycle", x: start, y: CHART.top, width: right - start, height: bottom - CHART.top });
  }
  for (const held of [0, DATA.size / 4, DATA.size / 2, (3 * DATA.size) / 4, DATA.size]) {
    if (!Number.isInteger(held)) continue;
    add("line", { class: "grid", x1: CHART.left, x2: right, y1: chartY(held), y2: chartY(held) });
    add("text", { x: CHART.left - 5, y: chartY(held) + 4, "text-anchor": "end" }, shown(held));
  }
  const gap = tick(end.cards);
  for (let cards = 0; cards <= end.cards; cards += gap) {
    add("line", { class: "grid", x1: chartX(cards), x2: chartX(cards), y1: bottom, y2: bottom + 4 });
    add("text", { x: chartX(cards), y: bottom + 18, "text-anchor": cards ? "middle" : "start" },
      shown(cards) + (cards ? "" : " cards played"));
  }
  // A hand holds its cards until it collects: the curve is that at the starts of rounds.
  const points = curve.map(([cards, held]) => chartX(cards).toFixed(1) + " " + chartY(held).toFixed(1));
  add("path", { class: "curve", d: "M" + points.join("L") });
  add("line", { class: "now", id: "now", y1: CHART.top, y2: bottom });
  add("circle", { class: "dot", id: "dot", r: 4 });
  const held = curve.map((point) => point[1]);
  const before = held.slice(0, -1).concat(held.length > 1 ? [] : held);
  const [least, most] = before.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [held[0], held[0]]);
  const text = "Hand A begins with " + many(held[0], "card") + ", holds between " +
    shown(least) + " and " + many(most, "card") +
    " at the starts of rounds, and has " + shown(held[held.length - 1]) + " at the " +
    (loop ? "repetition." : "end.");
  byId("chart").setAttribute("aria-label", text);
  byId("chart-note").textContent = text + (loop ? " The shaded part is the cycle." : "");
  let dragging = false;
  const seek = (event) => {
    const box = byId("chart").getBoundingClientRect();
    const x = ((event.clientX - box.left) * CHART.width) / box.width;
    const share = Math.max(0, Math.min(1, (x - CHART.left) / (right - CHART.left)));
    jump(replay.stepOfCards(Math.round(share * end.cards)));
  };
  byId("chart").addEventListener("pointerdown", (event) => {
    dragging = true;
    seek(event);
  });
  addEventListener("pointermove", (event) => dragging && seek(event));
  addEventListener("pointerup", () => (dragging = false));
}

function drawNow(game) {
  const x = chartX(game.cards);
  byId("now").setAttribute("x1", x);
  byId("now").setAttribute("x2", x);
  byId("dot").setAttribute("cx", x);
  // Between two starts of rounds the dot stays on the curve.
  const begun = replay.roundsBegun(step);
  const [from, held] = replay.curve[begun - 1];
  const [to, next] = replay.curve[Math.min(begun, replay.curve.length - 1)];
  const share = to > from ? (game.cards - from) / (to - from) : 0;
  byId("dot").setAttribute("cy", chartY(held + share * (next - held)));
}
