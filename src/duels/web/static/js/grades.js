// What the server's verdict says about each move: "win" or "lose".

export function gradesOf({ position, winning_text: winning }) {
  const wins = new Set(winning);
  return new Map(position.legal_text.map((move) => [move, wins.has(move) ? "win" : "lose"]));
}
