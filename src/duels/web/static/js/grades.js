// What the server's verdict says about each move: "win" or "lose".

export function gradesOf({ position, winning }) {
  const wins = new Set(winning);
  return new Map(position.legal.map((move) => [move, wins.has(move) ? "win" : "lose"]));
}
