// The token of a seat comes in the fragment of a link and is kept on this device for its match.

import { forget, remember, remembered, rememberedUnder } from "./memory.js";
import { hereWithoutFragment, link } from "./root.js";

const SEAT = "seat.";

/** The token in the address, whether or not it opens anything; null without one. */
export const linkedToken = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** Take the token out of the address bar, where others may read it; `instead` stays there. */
export function clearToken(instead = "") {
  if (location.hash) history.replaceState(history.state, "", hereWithoutFragment() + instead);
}

/** A token that nobody guesses. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * The seat that this device holds in a match, or null for a spectator: `token` opens it, `invite` is
 * the invitation to the other seat, and with `by`, an invitation, nobody has sat down here yet.
 */
export const keptSeat = (matchId) => remembered(SEAT + matchId);

/** Keep a seat here; false in a window without storage, where only the address can hold it. */
export const keepSeat = (matchId, seat) => remember(SEAT + matchId, { at: Date.now(), ...seat });

/** All seats that this device holds, the latest first, each with the id of its match. */
export const keptSeats = () =>
  rememberedUnder(SEAT)
    .map(([id, seat]) => ({ id, ...seat }))
    .filter(({ token }) => token)
    .sort((one, two) => (two.at ?? 0) - (one.at ?? 0));

/** Forget the seat of a match that is no longer there. */
export const dropSeat = (matchId) => forget(SEAT + matchId);

/** The link by which one device sits down, once. */
export const seatLink = (matchId, token) => link(`/m/${matchId}#seat=${token}`);
export const watchLink = (matchId) => link(`/m/${matchId}`);
export const replayLink = (matchId) => link(`/m/${matchId}/replay`);
