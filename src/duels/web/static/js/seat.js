// A seat is a secret: it comes in the fragment of a link and is kept on this device for its match.

import { hereWithoutFragment, link } from "./root.js";

const KEY = "duels.seat.";

/** The secret in the address, whether or not it opens anything; null without one. */
export const linkedSecret = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** Take the secret out of the address bar, where others may read it; `instead` stays there. */
export function clearSecret(instead = "") {
  if (location.hash) history.replaceState(history.state, "", hereWithoutFragment() + instead);
}

/** A secret that nobody guesses. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * The seat that this device holds in a match, or null for a spectator: `token` opens it, `invite` is
 * the invitation to the other seat, and with `by`, an invitation, nobody has sat down here yet.
 */
export function keptSeat(matchId) {
  try {
    return JSON.parse(localStorage.getItem(KEY + matchId));
  } catch {
    return null;
  }
}

/** Keep a seat here; false in a window without storage, where only the address can hold it. */
export function keepSeat(matchId, seat) {
  try {
    localStorage.setItem(KEY + matchId, JSON.stringify({ at: Date.now(), ...seat }));
    return true;
  } catch {
    return false;
  }
}

/** All seats that this device holds, the latest first, each with the id of its match. */
export function keptSeats() {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(KEY))
      .map((key) => ({ id: key.slice(KEY.length), ...keptSeat(key.slice(KEY.length)) }))
      .filter(({ token }) => token)
      .sort((one, two) => (two.at ?? 0) - (one.at ?? 0));
  } catch {
    return [];
  }
}

/** Forget the seat of a match that is no longer there. */
export function dropSeat(matchId) {
  try {
    localStorage.removeItem(KEY + matchId);
  } catch {
    // Nothing was kept.
  }
}

/** The link by which one device sits down, once. */
export const seatLink = (matchId, token) => link(`/m/${matchId}#seat=${token}`);
export const watchLink = (matchId) => link(`/m/${matchId}`);
export const replayLink = (matchId) => link(`/m/${matchId}/replay`);

/** Small things that this device remembers: a name, whether there is sound. */
export function remembered(name, otherwise = null) {
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
