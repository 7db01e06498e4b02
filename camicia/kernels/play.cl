/* Plays deals of a batch on a device: the step of lanes.pxi in plain integers, a game at each work item.

   An item that has ended its game takes the next deal at once, so that no item waits for the longest game of its
   group. Links lie in local memory as [link][item]: no two items of a group meet in a bank. The next payment card is
   in a link's upper byte and the gap before it in the lower one, so that no gap is too wide. */

#define NONE 16u    /* in place of a card number; its row of links is never read */
#define ROW(row) rows[(row) * stride + deal]

static uint card_of(uint byte, uint gap_bits) { return byte == 8u ? NONE : byte >> gap_bits; }

__kernel void play(
    __global const uchar *rows,     /* a deal a column; form.h says what each row is */
    __global uint *results,         /* packed; 0 for a game past the cut-off */
    const uint stride, const uint count, const uint link_count, const uint gap_bits,
    const uint limit_0, const uint limit_1, const uint limit_2, const uint most_cards)
{
    __local ushort links[17 * GROUP];
    const uint item = get_local_id(0);
    const uint widest = (1u << gap_bits) - 3u;
    uint deal = get_global_id(0);
    uint payer_first, payer_last, payer_lead, payer_trail, other_first, other_last, other_lead, other_trail;
    uint pile_first, pile_last, pile_lead, penalty, cards, tricks, b_pays, costs;
    bool seated = false;

    for (;;) {
        if (!seated) {
            if (deal >= count)
                return;
            for (uint link = 0; link < link_count; link++) {
                const uint byte = ROW(link);
                uint gap = byte & ((1u << gap_bits) - 1u);
                gap = gap == widest + 1u ? ROW(WIDE_X) : gap == widest + 2u ? ROW(WIDE_Y) : gap;
                links[link * GROUP + item] = (ushort) ((byte >> gap_bits) << 8 | gap);
            }
            pile_first = card_of(ROW(FIRST_A), gap_bits);
            pile_last = card_of(ROW(LAST_A), gap_bits);
            pile_lead = ROW(LEAD_A);
            penalty = ROW(TRAIL_A);
            payer_first = card_of(ROW(FIRST_B), gap_bits);
            payer_last = card_of(ROW(LAST_B), gap_bits);
            payer_lead = ROW(OWED_B);
            payer_trail = ROW(TRAIL_B);
            costs = ROW(COST) | ROW(COST + 1) << 8 | ROW(COST + 2) << 16 | (uint) ROW(COST + 3) << 24;
            other_first = other_last = NONE;
            other_lead = other_trail = 0u;
            /* A game starts as if A were about to collect a pile that is A's whole hand: both counters are set
               back by that much. */
            cards = 0u - penalty;
            tricks = 0u - 1u;
            b_pays = 1u;
            seated = true;
        }

        const bool shows = penalty > payer_lead;
        const uint left = payer_lead - penalty;
        const bool bare = other_last == NONE;
        const uint place = shows ? pile_last : other_last;
        const uint gap = shows ? payer_lead : other_trail + pile_lead;
        links[place * GROUP + item] = (ushort) ((shows ? payer_first : pile_first) << 8 | gap);

        /* The other player collects. */
        if (!shows) {
            other_first = bare ? pile_first : other_first;
            other_lead += bare ? pile_lead : 0u;
            other_last = pile_last;
            other_trail = penalty;
        }
        const bool beaten = !shows && left == 0u && payer_first == NONE;

        /* The collector leads at once, and shows after both have laid `other_lead` number cards; unless the payer has
           fewer left, and shows after both have laid those and the collector one more. */
        const bool payer_shows = shows || beaten || other_lead > left;
        const uint least = min(other_lead, left);
        const uint laid = 2u * least + (payer_shows ? 1u : 0u);
        const uint rest = shows ? other_lead : payer_shows ? other_lead - left - 1u : left - other_lead;
        pile_lead = shows ? pile_lead : laid;
        uint played = shows ? payer_lead : penalty;

        /* Who shows a card is the other from here on, and who is not owes. */
        const uint card = payer_shows ? payer_first : other_first;
        const uint last = payer_shows ? payer_last : other_last;
        const uint trail = payer_shows ? payer_trail : other_trail;
        payer_first = payer_shows ? other_first : payer_first;
        payer_last = payer_shows ? other_last : payer_last;
        payer_trail = payer_shows ? other_trail : payer_trail;
        payer_lead = rest;

        const uint link = links[card * GROUP + item];
        const bool emptied = card == last;
        other_first = emptied ? NONE : link >> 8;
        other_last = emptied ? NONE : last;
        other_lead = emptied ? trail : link & 255u;
        other_trail = trail;
        pile_first = shows ? pile_first : card;
        pile_last = card;
        penalty = costs >> 8u * ((card >= limit_0) + (card >= limit_1) + (card >= limit_2)) & 255u;

        /* A hand that is to show and has no payment card has run out: the game is over, with one trick more. If it had
           nothing left when the pile was collected the game was over then, with no trick or lead after that. */
        const bool ends = card == NONE;
        played += (shows || beaten ? 0u : laid) + (ends ? 0u : 1u);
        cards += played;
        tricks += (shows ? 0u : 1u) + (ends && !beaten ? 1u : 0u);
        b_pays ^= payer_shows ? 1u : 0u;
        /* Counters that were set back may still be negative after the first step. */
        if (ends || (int) cards >= (int) most_cards) {
            results[deal] = ends ? cards | tricks << 16 | b_pays << 31 : 0u;
            deal += get_global_size(0);
            seated = false;
        }
    }
}
