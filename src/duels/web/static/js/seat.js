// A seat is a secret: it comes in the fragment of a link and is kept on this device for its match.

const KEY = "duels.seat.";

/** The secret in the address, whether or not it opens anything; null without one. */
export const linkedSecret = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** The seat that this device holds in a match: {token, invite}, or null for a spectator. */
export function keptSeat(matchId) {
  try {
    return JSON.parse(localStorage.getItem(KEY + matchId));
  } catch {
    return null;
  }
}

export function keepSeat(matchId, seat) {
  try {
    localStorage.setItem(KEY + matchId, JSON.stringify(seat));
  } catch {
    // A private window without storage: the link in the address still holds the seat.
  }
}

/** The link that opens a seat on any device. */
export const seatLink = (matchId, token) => `${location.origin}/m/${matchId}#seat=${token}`;
export const watchLink = (matchId) => `${location.origin}/m/${matchId}`;
export const replayLink = (matchId) => `${location.origin}/m/${matchId}/replay`;

/** Small things that this device remembers: a name, whether there is sound. */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`duels.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`duels.${name}`, JSON.stringify(value));
  } catch {
    // Nothing depends on it.
  }
}
