// Moving about in the game: steps, tricks, places, and playing by itself.
let replay;
let step = 0;
let turns = 0; // turns of the cycle played beyond the first; only of a loop
let timer = null;

// Speeds in cards a second. A game should last about so many seconds unless one asks for another speed.
const SPEEDS = [0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10000];
const SECONDS = 120;
const SLOWEST_OFFERED = 3;
const MOVE_MILLISECONDS = 200;

function lengths(game) {
  const { loop } = replay;
  return {
    cards: game.cards + (loop ? turns * loop.cycleCards : 0),
    tricks: game.tricks + (loop ? turns * loop.cycleTricks : 0),
  };
}

// What has just happened, and the end of the game where it is reached.
function sentence(game) {
  if (!step && !turns) return game.winner === null ? "The deal. A leads." : ending(replay);
  return happened(game) + (step === replay.steps ? " " + ending(replay) : "");
}

function draw() {
  const game = replay.go(step);
  const played = lengths(game);
  byId("cards").textContent = shown(played.cards);
  byId("tricks").textContent = shown(played.tricks);
  drawTable(game);
  byId("said").textContent = sentence(game);
  byId("place").value = step;
  for (const id of ["first", "back", "trick-back"]) byId(id).disabled = step === 0 && !turns;
  for (const id of ["last", "forth", "trick-forth"]) byId(id).disabled = step === replay.steps && !replay.loop;
  drawNow(game);
  followTricks();
}

// Says where we are to those who do not see it, or print it; not while the game runs, which would be a flood.
function say() {
  const game = replay.go(step);
  const played = lengths(game);
  const place = many(played.cards, "card") + ", " + many(played.tricks, "trick");
  labelTable(game);
  byId("live").textContent = sentence(game) + " " + place + ".";
  byId("place").setAttribute("aria-valuetext", place + " of " + shown(replay.end.tricks));
  byId("printed").textContent = "Card " + shown(played.cards) + " of " + shown(replay.end.cards) + ", trick " +
    shown(played.tricks) + " of " + shown(replay.end.tricks) + ": " + location.href.split("#")[0] + fragment();
}

function goTo(where, entered) {
  step = Math.max(0, Math.min(replay.steps, where));
  draw();
  if (timer === null) say();
  writeAddress(entered);
}

function on(steps, entered) {
  let where = step + steps;
  const before = steps === 1 && moving() ? placesBefore(replay.go(step)) : null;
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
  const moved = before !== null && where <= replay.steps;
  goTo(where, entered);
  if (moved) moveCards(before, replay.go(step), Math.min(MOVE_MILLISECONDS, 700 / speed()));
}

// Whether cards are to be seen moving.
const moving = () => !noMotion.matches && (timer === null || speed() <= MOVING) && replay.size <= CARDS_SHOWN;

// To a place of one's choice, from which "back" leads to where one was.
function jump(where) {
  turns = 0;
  goTo(where, true);
}

// To a place on the way to another, as with a slider.
function slide(where) {
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
  if (timer !== null) return;
  if (!replay.loop && step === replay.steps) jump(0);
  let before = performance.now();
  let owed = 0;
  const frame = (now) => {
    // A page that was out of sight goes on where it was.
    owed += Math.min(0.25, Math.max(0, now - before) / 1000) * speed();
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
  if (timer === null) return;
  cancelAnimationFrame(timer);
  timer = null;
  byId("play").textContent = "Play";
  say();
  addressNow();
}

const speed = () => SPEEDS[byId("speed").value];

function changeSpeed(by) {
  byId("speed").value = Number(byId("speed").value) + by;
  showSpeed();
}

function showSpeed() {
  const whole = replay.end.cards / speed();
  const text = shown(speed()) + (speed() === 1 ? " card a second" : " cards a second");
  byId("speed-text").textContent = text + " (" + time(whole) + ")";
  byId("speed").setAttribute("aria-valuetext", byId("speed-text").textContent);
}

// Offer the speeds that suit a game of so many cards, and choose one.
function offerSpeeds(cards) {
  const least = (wanted) => Math.max(SPEEDS.findIndex((each) => each >= wanted), 0) || SPEEDS.length - 1;
  byId("speed").max = least(Math.max(20, cards / 4));
  byId("speed").value = least(Math.max(SLOWEST_OFFERED, cards / SECONDS));
  showSpeed();
}

const ACTIONS = {
  first: () => jump(0),
  "trick-back": () => byTrick(-1),
  back: () => on(-1),
  play: () => (timer === null ? play() : pause()),
  forth: () => on(1),
  "trick-forth": () => byTrick(1),
  last: () => jump(replay.steps),
  "to-cycle": () => replay.loop && jump(replay.loop.step),
  random: () => showAnother(randomDeal(deckChosen())),
  copy: copyLink,
};

const KEYS = {
  " ": "play", ArrowLeft: "back", ArrowRight: "forth", "Shift+ArrowLeft": "trick-back",
  "Shift+ArrowRight": "trick-forth", Home: "first", End: "last", c: "to-cycle", r: "random",
};

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !inSight()) return;
    const { tagName: tag, type } = event.target;
    // A button is pressed with the space bar by itself, a slider has its own arrows, and text is typed.
    if (tag === "TEXTAREA" || tag === "SELECT" || (tag === "INPUT" && type !== "range")) return;
    if ((tag === "BUTTON" || tag === "SUMMARY") && event.key === " ") return;
    if (tag === "INPUT" && event.key !== " " && !event.shiftKey) return;
    const action = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
    if (action) ACTIONS[action]();
    else if (event.key === "-") changeSpeed(-1);
    else if (event.key === "+" || event.key === "=") changeSpeed(1);
    else return;
    event.preventDefault();
  });
}

// On the table a short swipe is a card, a long one a trick, and a tap plays or pauses.
function listenToTouch() {
  const table = byId("table");
  let start = null;
  table.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" || !event.isPrimary ? null : event;
  });
  table.addEventListener("pointercancel", () => (start = null));
  table.addEventListener("pointerup", (event) => {
    if (!start) return;
    const across = event.clientX - start.clientX;
    const along = event.clientY - start.clientY;
    start = null;
    if (Math.hypot(across, along) < 10) {
      if (!event.target.closest("button")) ACTIONS.play();
    } else if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(along)) {
      const far = Math.abs(across) > table.clientWidth / 2;
      if (far) byTrick(across < 0 ? 1 : -1);
      else on(across < 0 ? 1 : -1);
    }
  });
}
