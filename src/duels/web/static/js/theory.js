// How each game is won, in a few sentences for people, and the mathematics one click further.

const PAIRS =
  "Numbers that fit each other are joined, which makes a graph, and the game is known as undirected vertex geography. " +
  "Taking a number wins exactly if some largest set of pairs leaves that number out (Fraenkel, Scheinerman and Ullman, 1993). " +
  "One computation, the Gallai-Edmonds decomposition, finds all such numbers at once.";

export const THEORY = {
  "number-duel": {
    try: { numbers: 20 },
    words: [
      "Think in pairs. Put the free numbers into pairs that fit each other, as many pairs as possible.",
      "If a number is left over, take it: whatever your opponent takes then has a partner, and you answer with the partner. You can never run out first.",
      "If every number has a partner, whoever answers wins. On the full board from 1 to 100 that is the second player.",
    ],
    deeper: PAIRS,
  },
  "sequence-duel": {
    try: { numbers: 20 },
    words: [
      "Pair each number with a factor or a multiple of it, as many pairs as possible: 2 with 14, 3 with 15, 4 with 20 …",
      "Open with a number that is left over, and answer every number with its partner. Whoever has to take 1 loses as long as a large prime such as 17 is free: nothing fits 17 then.",
      "Classrooms let the first number be even, so that the game cannot be won at once with a large prime. It is then called Juniper Green.",
    ],
    deeper: PAIRS,
  },
  "number-chain-duel": {
    try: { numbers: 9 },
    words: [
      "The chain is short, so look for numbers that fit little else: 5 and 7 fit only 1.",
      "Pair the numbers with factors and multiples. A number that stays without a partner is a good opening, and the partner of what was just taken is always the answer.",
    ],
    deeper: PAIRS,
  },
  "number-line-duel": {
    try: { numbers: 10 },
    words: [
      "Leave the line balanced. Two equal runs balance each other: what your opponent does to one, you do to the other.",
      "So the first player wins on every line: cross out the middle (one number or two), and then mirror.",
      "Runs of different lengths can balance too. The board below shows which moves do it.",
    ],
    deeper:
      "This is Kayles. Each free run has a value, values are added without carrying in the binary system, and a line is lost for the player to move exactly if the sum is 0. " +
      "From length 71 on the values repeat with period 12.",
  },
  "divisor-duel": {
    try: { divisor: 7 },
    words: [
      "Only the remainder and the digits left matter. Before you add a digit, ask which digit would then finish the number, and whether it is still there.",
      "Nine digits are an odd number: if nobody ever makes it divisible, the first player places the last digit and loses. The first player has to find a finish, the second has to avoid one.",
      "With best play the first player wins for the divisors 2 to 9 and for 12, and for no other divisor up to 200.",
    ],
    deeper:
      "A position is the set of digits left and the remainder. There are few enough of them to search backwards from the end, so the value of every position is known exactly.",
  },
};
