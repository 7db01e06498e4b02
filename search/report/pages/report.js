// The report: buttons that copy deals, the player where the address names a deal, and curves that are read off.

// A copy button beside every deal: without scripts there is none, and the text can be marked by hand.
for (const deal of document.querySelectorAll("#report .deal")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  button.setAttribute("aria-label", "Copy the deal " + deal.textContent);
  button.addEventListener("click", async () => {
    const done = await copiedText(deal.textContent);
    button.textContent = done ? "copied" : "cannot copy";
    byId("report-live").textContent = done ? "Copied." : "Cannot copy.";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  deal.before(button);
}

// The report, or the game that the address names; back in the report one is where one left it.
const reportTitle = document.title;
let begun = false;
let left = null; // the link by which one left

function route() {
  const game = /^#(.*&)?deal=/.test(location.hash);
  byId("report").hidden = game;
  byId("player").hidden = !game;
  document.body.classList.toggle("playing", game);
  if (!game) {
    if (begun) pause();
    document.title = reportTitle;
    if (!left) return;
    left.focus({ preventScroll: true });
    left.scrollIntoView({ block: "center" });
    left = null;
  } else if (!begun) {
    begun = true;
    start();
    scrollTo(0, 0);
  } else {
    document.title = titleOf(replay);
    scrollTo(0, 0);
  }
}

for (const link of document.querySelectorAll('#report a[href^="#deal="]')) {
  link.addEventListener("click", () => (left = link));
}

// All that is folded is printed.
let folded = [];
addEventListener("beforeprint", () => {
  folded = Array.from(document.querySelectorAll("#report details:not([open])"));
  for (const part of folded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});

// A page that is written again and again reloads itself, and stays where it was scrolled to. An open game stays open.
const reload = Number(document.body.dataset.reload);
if (reload) {
  setInterval(() => {
    if (!document.body.classList.contains("playing")) location.reload();
  }, 1000 * reload);
}

addEventListener("hashchange", route);
route();
document.querySelectorAll(".plot").forEach(listenToPlot);
