// Which deal is shown: that of the page or of the address, one that is typed, a random or a known one.

// Show a deal; false if its game cannot be shown, which is then said.
function load(hands) {
  let loaded;
  try {
    loaded = new Replay(...hands, PAGE.limits);
  } catch (error) {
    complain("This deal cannot be shown: " + error.message + ".");
    return false;
  }
  pause();
  complain("");
  replay = loaded;
  step = 0;
  turns = 0;
  const title = titleOf(replay);
  document.title = title;
  byId("title").textContent = title;
  byId("reason").textContent = ending(replay);
  byId("deal-shown").textContent = replay.deal;
  byId("to-cycle").hidden = !replay.loop;
  byId("place").max = replay.steps;
  sizeTable(replay.size);
  fillFields(hands);
  drawChart();
  listTricks();
  offerSpeeds(replay.end.cards);
  check();
  return true;
}

// A deal of one's choice, from which "back" leads to the one before.
function showAnother(hands, entered = true) {
  if (hands.join("/") === replay.deal) return;
  if (load(hands)) goTo(0, entered);
}

// Camicia has played the page's own deal before: this page must come to the same.
function check() {
  if (replay.deal !== PAGE.deal) return;
  const { end, loop } = replay;
  const ours = [end.cards, end.tricks, loop && loop.cycleCards, loop && loop.cycleTricks];
  if (ours.some((number, i) => number !== PAGE.result[i])) {
    complain("This page comes to another result than Camicia did: " + many(end.cards, "card") + ", " +
      many(end.tricks, "trick") + ".");
  }
}

function complain(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
}

// The deck that random deals and ranks are of.
const deckChosen = () => byId("deck").value.split(":").map(Number);

function fillFields(hands) {
  const counts = countsOf(hands.join(""));
  const deck = counts.join(":");
  const select = byId("deck");
  if (!Array.from(select.options).some((option) => option.value === deck)) {
    byId("other-deck")?.remove();
    const option = new Option(deck + " (" + many(sizeOf(counts), "card") + ")", deck);
    option.id = "other-deck";
    select.append(option);
  }
  select.value = deck;
  byId("known").value = replay.deal;
  if (byId("known").selectedIndex < 0) byId("known").value = "";
  // What somebody is typing stays as it is.
  if (document.activeElement !== byId("deal")) byId("deal").value = replay.deal;
  if (document.activeElement === byId("rank")) return;
  const rank = rankOf(...hands);
  byId("rank").value = rank === null ? "" : rank;
  byId("rank").placeholder = rank !== null ? "" : sizeOf(counts) > MOST_RANKED ? "too long to write" : "none: the hands are uneven";
  byId("field-problem").textContent = "";
}

function listKnown() {
  const known = byId("known");
  for (const [name, games] of PAGE.known) {
    const group = document.createElement("optgroup");
    group.label = name;
    for (const [deal, text] of games) group.append(new Option(text, deal));
    known.append(group);
  }
  known.addEventListener("change", () => known.value && showAnother(known.value.split("/")));
}

function listenToFields() {
  // Of what is typed at one go, one entry of the history is enough.
  let typed = null;
  const listen = (id, read) => {
    byId(id).addEventListener("input", () => {
      const text = byId(id).value;
      let fault = "";
      try {
        const hands = read(text);
        const entered = typed !== id;
        if (hands.join("/") !== replay.deal) typed = id;
        showAnother(hands, entered);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        if (text.trim()) fault = "Not shown: " + error.message + ".";
      }
      byId("field-problem").textContent = fault;
      byId(id).setAttribute("aria-invalid", Boolean(fault));
    });
    byId(id).addEventListener("blur", () => {
      typed = null;
      fillFields(replay.deal.split("/"));
    });
    byId(id).addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        byId(id).blur();
      }
    });
  };
  listen("deal", readDeal);
  listen("rank", (text) => {
    const digits = text.replace(/[\s_,]/g, "");
    if (!/^\d{1,2000}$/.test(digits)) throw new SyntaxError("a rank is a whole number");
    const hands = unranked(deckChosen(), BigInt(digits));
    if (!hands) throw new SyntaxError("deck " + byId("deck").value + " has ranks up to " + (dealCount(deckChosen()) - 1n));
    return hands;
  });
  byId("deck").addEventListener("change", () => showAnother(randomDeal(deckChosen())));
}

// What chooses a deal is open where there is room for it.
function openChoice() {
  const wide = matchMedia("(min-width: 60rem)");
  const open = () => (byId("choice").open = wide.matches);
  wide.addEventListener("change", open);
  open();
}

function start() {
  listKnown();
  openChoice();
  if (!load(PAGE.deal.split("/"))) return;
  for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", action);
  byId("place").addEventListener("input", () => slide(Number(byId("place").value)));
  byId("speed").addEventListener("input", showSpeed);
  listenToKeys();
  listenToTouch();
  listenToChart();
  listenToTricks();
  listenToFields();
  addEventListener("hashchange", () => inSight() && readAddress());
  readAddress();
  addressNow();
}
