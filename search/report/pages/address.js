// The address, which always names the deal and the card that are shown.

// Milliseconds between two addresses while the game runs: browsers refuse more than some a second.
const ADDRESS_EVERY = 500;

// In a report the player is hidden where the address names no deal.
const inSight = () => !byId("player").hidden;

let addressed = -Infinity;
let addressTimer = null;

function fragment() {
  // The last step may be that of a player who has no card to lay: then as many cards were played a step before.
  const end = step === replay.steps && step > 0 && replay.go(step - 1).cards === replay.go(step).cards;
  return "#deal=" + replay.deal + "&card=" + lengths(replay.go(step)).cards + (end ? "&end" : "");
}

// Write the address; as a new entry of the history if `entered`, so that "back" leads to where one was.
function writeAddress(entered) {
  clearTimeout(addressTimer);
  if (!inSight()) return;
  const now = performance.now();
  const wait = entered ? 0 : ADDRESS_EVERY - (now - addressed);
  if (wait > 0) {
    addressTimer = setTimeout(() => writeAddress(false), wait);
    return;
  }
  addressed = now;
  const text = fragment();
  if (text === location.hash) return;
  try {
    history[entered ? "pushState" : "replaceState"](null, "", text);
  } catch {
    // Browsers refuse more addresses than they like; the next one will do.
  }
}

// The address as it is right now, for those who copy it.
function addressNow() {
  addressed = -Infinity;
  writeAddress(false);
  return location.href.split("#")[0] + fragment();
}

// Show what the address names: #deal=J--/-J-&card=5, or of the page's own deal #card=5, #trick=2, #end.
function readAddress() {
  const named = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, ...value] = part.split("=");
    return [name, decoded(value.join("="))];
  }));
  pause();
  let hands = PAGE.deal.split("/");
  let fault = "";
  try {
    if (named.has("deal")) hands = readDeal(named.get("deal"));
  } catch (error) {
    fault = "The deal in the address cannot be read: " + error.message + ".";
  }
  if (hands.join("/") !== replay.deal && !load(hands)) return;
  if (fault) complain(fault);
  const number = (name) => (/^\d{1,15}$/.test(named.get(name) ?? "") ? Number(named.get(name)) : null);
  turns = 0;
  if (number("card") !== null) goToCard(number("card"), named.has("end"));
  else if (number("trick") !== null) {
    goTo(replay.roundSteps[Math.min(number("trick"), replay.roundSteps.length - 1)]);
  } else goTo(named.has("end") ? replay.steps : 0);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function goToCard(cards, end) {
  const { loop } = replay;
  let wanted = cards;
  if (loop && cards > replay.end.cards) {
    turns = Math.ceil((cards - replay.end.cards) / loop.cycleCards);
    wanted -= turns * loop.cycleCards;
  }
  goTo(end && wanted >= replay.end.cards ? replay.steps : replay.stepOfCards(wanted));
}

async function copyLink() {
  const copied = await copiedText(addressNow());
  const button = byId("copy");
  button.textContent = copied ? "Link copied" : "Copy the address";
  byId("live").textContent = button.textContent;
  setTimeout(() => (button.textContent = "Copy link"), 2500);
}

async function copiedText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

// Where a page may not use the clipboard, what is selected may still be copied.
function copySelected(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}
