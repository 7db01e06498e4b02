"""Deals that several tests write in one notation or another."""

RECORD = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"
LOOP_OF_40 = "--K-Q-Q-K-KJ-----KJ-/--J--Q----Q-------J-"

#: A contest's deck, and its deal by hand: the non-dealer, who leads, gets the first card, and lays the last
#: but one first.
CONTEST = """\
HA H3 H4 CA SK S5 C5 S6 C4 D5 H7 HJ HQ
D4 D7 SJ DT H6 S9 CT HK C8 C9 D6 CJ C6
S8 D8 C2 S2 S3 C7 H5 DJ S4 DQ DK D9 D3
H9 DA SA CK CQ C3 HT SQ H8 S7 ST H2 D2
"""
