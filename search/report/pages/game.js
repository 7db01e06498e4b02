// The rules of the game, and a whole game that can be looked at from any place.
"use strict";

const SYMBOLS = "-JQKA";

// Steps between two kept states: going back replays at most this many.
const KEEP_EVERY = 64;

class Game {
  constructor(handA, handB) {
    this.hands = [Array.from(handA, (c) => SYMBOLS.indexOf(c)), Array.from(handB, (c) => SYMBOLS.indexOf(c))];
    this.pile = []; // {card, player} in the order they were laid
    this.player = 0;
    this.penalty = 0;
    this.cards = 0;
    this.tricks = 0;
    this.winner = this.hands[0].length ? null : 1;
    this.last = null; // what the last step was
  }

  // The player whose turn it is lays a card, or loses for want of one.
  step() {
    const player = this.player;
    const other = 1 - player;
    if (!this.hands[player].length) {
      this.last = { player, card: null, collects: other };
      this.collect(other);
      return;
    }
    const card = this.hands[player].shift();
    this.pile.push({ card, player });
    this.cards += 1;
    this.last = { player, card, collects: null, pile: this.pile };
    if (card) {
      this.player = other;
      this.penalty = card;
    } else if (!this.penalty) {
      this.player = other;
    } else if (this.penalty > 1) {
      this.penalty -= 1;
    } else {
      this.last.collects = other;
      this.collect(other);
    }
  }

  collect(winner) {
    this.last.pile = this.pile;
    for (const laid of this.pile) this.hands[winner].push(laid.card);
    this.pile = [];
    this.tricks += 1;
    this.player = winner;
    this.penalty = 0;
    if (!this.hands[1 - winner].length) this.winner = winner;
  }

  state() {
    return this.hands[0].join("") + "/" + this.hands[1].join("") + "/" + this.player;
  }

  copy() {
    const copy = Object.assign(Object.create(Game.prototype), this);
    copy.hands = [this.hands[0].slice(), this.hands[1].slice()];
    copy.pile = this.pile.slice();
    return copy;
  }
}

// A game played to its end, or to its first repeated state; any step of it can be asked for.
class Replay {
  constructor(handA, handB, limits = { cards: Infinity, places: Infinity }) {
    const game = new Game(handA, handB);
    const starts = new Map();
    this.deal = handA + "/" + handB;
    this.size = handA.length + handB.length;
    this.kept = [];
    this.roundSteps = []; // the step at which each round begins
    this.curve = []; // [cards played, cards in hand A] there
    this.tricks = []; // who collected it, and its pile
    this.calls = [null, null]; // when each hand was smallest, of those times after which it grew again
    this.loop = null;
    const smallest = [null, null];
    let step = 0;
    for (;;) {
      if (step % KEEP_EVERY === 0) this.kept.push(game.copy());
      if (!game.pile.length) {
        this.roundSteps.push(step);
        this.curve.push([game.cards, game.hands[0].length]);
        if (game.winner !== null) break;
        const key = game.state();
        const start = starts.get(key);
        if (start) {
          this.loop = {
            step: start.step,
            transientCards: start.cards,
            transientTricks: start.tricks,
            cycleCards: game.cards - start.cards,
            cycleTricks: game.tricks - start.tricks,
          };
          break;
        }
        starts.set(key, { step, cards: game.cards, tricks: game.tricks });
        if (game.cards > limits.cards || game.tricks * this.size > limits.places) {
          throw new RangeError("its game has more than " + game.cards.toLocaleString("en") + " cards, too many for a page");
        }
      }
      const { player } = game;
      game.step();
      step += 1;
      const held = game.hands[player].length;
      if (!smallest[player] || held < smallest[player].held) {
        smallest[player] = { held, step, cards: game.cards };
      }
      const { collects } = game.last;
      if (collects !== null) {
        this.tricks.push({ by: collects, pile: game.last.pile.map(({ card }) => SYMBOLS[card]).join("") });
        this.calls[collects] = smallest[collects];
      }
    }
    this.end = game;
    this.steps = step;
    this.at = -1;
  }

  // The game after so many steps. What is returned is replayed further by the next call.
  go(step) {
    if (this.at < 0 || step < this.at || step - this.at > KEEP_EVERY) {
      this.at = step - (step % KEEP_EVERY);
      this.game = this.kept[this.at / KEEP_EVERY].copy();
    }
    while (this.at < step) {
      this.game.step();
      this.at += 1;
    }
    return this.game;
  }

  // The step at which so many cards were played, first of them all.
  stepOfCards(cards) {
    let low = 0;
    let high = this.steps;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.go(middle).cards < cards) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // How many rounds have begun by a step.
  roundsBegun(step) {
    let low = 0;
    let high = this.roundSteps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.roundSteps[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
