// A chart that says its values: where the mouse or a finger is, and from place to place with the keyboard.

// A number to three figures, in words where it is large.
function roughly(number) {
  if (number >= 1e15) {
    const [mantissa, exponent] = number.toExponential(1).split("e+");
    return mantissa + " × 10^" + exponent;
  }
  for (const [scale, name] of [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]]) {
    if (number >= 0.9995 * scale) return Number((number / scale).toPrecision(3)) + " " + name;
  }
  return Number(number.toPrecision(number < 1000 ? 3 : 4)).toLocaleString("en");
}

// The value of a line at a place; null where it has none.
function valueAt({ points, steps }, x, logarithmic) {
  const after = points.findIndex(([place]) => place > x);
  const last = points[points.length - 1];
  if (!points.length || x < points[0][0] || x > last[0]) return null;
  if (after < 0) return last[1];
  const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
  if (steps) return y0;
  const share = (x - x0) / (x1 - x0);
  return logarithmic ? y0 * (y1 / y0) ** share : y0 + (y1 - y0) * share;
}

function listenToPlot(figure) {
  const frame = figure.querySelector(".frame");
  const { left, right, step, lines, marks, reading, whole, inverse, logarithmic } = JSON.parse(figure.dataset.chart);
  const cursor = figure.querySelector(".cursor");
  const said = figure.querySelector(".reading");
  const own = lines[0].points.map(([x]) => x);
  const places = step ? Array.from({ length: Math.floor((right - left) / step) + 1 }, (_, i) => left + i * step) : own;
  if (!places.length) return;
  let at = -1;

  function textAt(x) {
    const parts = lines.flatMap((line, index) => {
      if (lines.findIndex(({ name }) => name === line.name) < index) return [];
      const y = valueAt(line, x, logarithmic);
      if (y === null) return [];
      const value = whole && y === 1 ? whole : reading.replace("{y}", roughly(inverse ? 1 / y : y));
      return [value + (line === lines[0] ? "" : " (" + line.name + ")")];
    });
    const known = marks.filter(([place]) => place === x).map(([, name]) => name);
    const place = figure.dataset.across.replace("{x}", Number(x.toPrecision(6)).toLocaleString("en"));
    return place + ": " + [...parts, ...known].join("; ");
  }

  function show(index) {
    at = Math.max(0, Math.min(places.length - 1, index));
    cursor.hidden = false;
    cursor.style.left = (100 * (places[at] - left)) / (right - left) + "%";
    said.textContent = textAt(places[at]);
    frame.setAttribute("aria-valuenow", places[at]);
    frame.setAttribute("aria-valuetext", said.textContent);
  }

  function nearest(x) {
    let best = 0;
    places.forEach((place, i) => Math.abs(place - x) < Math.abs(places[best] - x) && (best = i));
    return best;
  }

  frame.setAttribute("role", "slider");
  frame.setAttribute("aria-valuemin", left);
  frame.setAttribute("aria-valuemax", right);
  frame.tabIndex = 0;
  frame.addEventListener("focus", () => show(at < 0 ? 0 : at));
  for (const name of ["pointermove", "pointerdown"]) {
    frame.addEventListener(name, (event) => {
      const box = frame.getBoundingClientRect();
      const x = left + ((right - left) * (event.clientX - box.left)) / box.width;
      // A mark is met when one is beside it: it is a hair wide.
      const close = marks.find(([place]) => (Math.abs(place - x) * box.width) / (right - left) < 4);
      show(nearest(close ? close[0] : x));
    });
  }
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const many = Math.max(2, Math.round(places.length / 20));
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: many, PageDown: -many }[event.key];
    const next = marks.map(([x]) => x).sort((a, b) => a - b);
    if (event.key === "Home") show(0);
    else if (event.key === "End") show(places.length - 1);
    else if (event.key === "m") show(nearest(next.find((x) => x > places[at]) ?? next[0] ?? places[at]));
    else if (by) show(at + by);
    else return;
    event.preventDefault();
  });
}
