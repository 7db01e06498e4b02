// Ranks of deals and decks: the place of a deal among all deals of its deck, as `camicia rank` counts it.

// Ranks of larger decks have thousands of digits, which nobody types.
const MOST_RANKED = 1000;

const countsOf = (cards) => Array.from(SYMBOLS, (symbol) => cards.split(symbol).length - 1);
const sizeOf = (counts) => counts.reduce((sum, count) => sum + count, 0);

// How many deals a deck has.
function dealCount(counts) {
  let total = 1n;
  let placed = 0n;
  for (const count of counts) {
    for (let i = 1n; i <= count; i += 1n) {
      placed += 1n;
      total = (total * placed) / i;
    }
  }
  return total;
}

// The rank of a deal; null if its deck is not cut in the middle, or too large.
function rankOf(handA, handB) {
  const cards = handA + handB;
  if (handA.length !== cards.length >> 1 || cards.length > MOST_RANKED) return null;
  const counts = countsOf(cards);
  let total = dealCount(counts);
  let rank = 0n;
  for (let place = 0; place < cards.length; place += 1) {
    const left = BigInt(cards.length - place);
    const code = SYMBOLS.indexOf(cards[place]);
    for (let less = 0; less < code; less += 1) rank += (total * BigInt(counts[less])) / left;
    total = (total * BigInt(counts[code])) / left;
    counts[code] -= 1;
  }
  return rank;
}

// The deal of a rank, as its two hands; null if the deck has no such rank.
function unranked(deck, rank) {
  const counts = deck.slice();
  const size = sizeOf(counts);
  let total = dealCount(counts);
  if (size > MOST_RANKED || rank < 0n || rank >= total) return null;
  let left = rank;
  let cards = "";
  while (cards.length < size) {
    for (let code = 0; ; code += 1) {
      const those = (total * BigInt(counts[code])) / BigInt(size - cards.length);
      if (left < those) {
        cards += SYMBOLS[code];
        counts[code] -= 1;
        total = those;
        break;
      }
      left -= those;
    }
  }
  return cut(cards);
}

const cut = (cards) => [cards.slice(0, cards.length >> 1), cards.slice(cards.length >> 1)];

// A deal of a deck, each as likely as any other.
function randomDeal(deck) {
  const cards = Array.from(SYMBOLS, (symbol, code) => symbol.repeat(deck[code])).join("").split("");
  for (let i = cards.length - 1; i > 0; i -= 1) {
    const j = randomBelow(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cut(cards.join(""));
}

function randomBelow(limit) {
  // The highest numbers are drawn again, or the lowest results would be likelier.
  const fair = 2 ** 32 - (2 ** 32 % limit);
  const drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn);
  while (drawn[0] >= fair);
  return drawn[0] % limit;
}
