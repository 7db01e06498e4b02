// Puts a copy button beside every deal: without scripts there is none, and the text can be marked by hand.
"use strict";

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages opened from a file may not be let at the clipboard: the old way still is.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

for (const deal of document.querySelectorAll("td .deal")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  button.setAttribute("aria-label", "Copy the deal " + deal.textContent);
  button.addEventListener("click", async () => {
    const done = await copied(deal.textContent);
    button.textContent = done ? "copied" : "cannot copy";
    document.getElementById("live").textContent = done ? "Copied." : "Cannot copy.";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  deal.after(button);
}
