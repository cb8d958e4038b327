// The seat that this device has in a match. Its token comes in the fragment of a link and is stored here.

import { createMatch, fetchMatch, joinMatch } from "../lib/api.js";
import { loadItem, loadItems, removeItem, saveItem } from "../lib/storage.js";
import { address, currentAddress, link } from "../lib/urls.js";

const PREFIX = "seat.";

/** The token in the address, valid or not; null without one. */
export const linkedToken = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** Replace the token in the address bar, where others may read it. */
export function clearToken(fragment = "") {
  if (location.hash) history.replaceState(history.state, "", currentAddress() + fragment);
}

/** A random token. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * The stored seat in a match, or null for a spectator. `token` opens it for the players in `you`, if that was
 * stored, and `invite` is the invitation to the other seat. With `by`, an invitation, the seat has not been taken yet.
 */
export const loadSeat = (matchId) => loadItem(PREFIX + matchId);

/** Store a seat; return false if the browser stores nothing, so that the token must stay in the address. */
export const saveSeat = (matchId, seat) => saveItem(PREFIX + matchId, { at: Date.now(), ...seat });

/** All stored seats, the latest first, each with the id of its match. */
export const loadSeats = () =>
  loadItems(PREFIX)
    .map(([id, seat]) => ({ id, ...seat }))
    .filter(({ token }) => token)
    .sort((first, second) => (second.at ?? 0) - (first.at ?? 0));

export const removeSeat = (matchId) => removeItem(PREFIX + matchId);

/**
 * Create a match, store the seat and open the page of the match; `onCreated` is called before that.
 * @param {(id: string) => void} onCreated
 */
export async function startMatch(body, onCreated = () => {}) {
  const created = await createMatch(body);
  onCreated(created.id);
  const { id, token, seat, invite } = created;
  const isSaved = saveSeat(id, { token, invite: invite?.token ?? null, you: seat ? [seat] : [1, 2] });
  location.assign(address(`/m/${created.id}${isSaved ? "" : `#seat=${created.token}`}`));
}

/** The link by which one device takes a seat, once. */
export const seatLink = (matchId, token) => link(`/m/${matchId}#seat=${token}`);

export const watchLink = (matchId) => link(`/m/${matchId}`);
export const replayLink = (matchId) => link(`/m/${matchId}/replay`);

const SPECTATOR = null;
export const INVITATION_USED = "This invitation has been used. You are watching.";

/**
 * Find the seat of this device: {seat, you, invited, news, state}. `you` are the players it moves for,
 * `invited` those it will move for once a name is given. The token is removed from the address as soon as
 * the seat is stored.
 */
export async function findSeat(id, onRetry) {
  const fromLink = linkedToken();
  const saved = loadSeat(id);
  const savedState = saved && (await fetchSeatState(id, saved));
  const savedPlayers = savedState?.you ?? [];
  if (fromLink && fromLink === saved?.invite) {
    clearToken();
    return { ...seatResult(saved, savedState), news: "This is your own invitation: send it to a friend." };
  }
  const token = fromLink && fromLink !== saved?.token ? fromLink : savedPlayers.length ? null : saved?.by;
  if (!token) {
    if (saved) clearToken();
    return seatResult(saved, savedState ?? (await fetchMatch(id)));
  }
  const state = await fetchMatch(id, token);
  if (state.you) {
    if (saveSeat(id, { token, invite: null })) clearToken();
    return seatResult({ token, invite: null }, state);
  }
  const invited = state.invited ?? [];
  const isSeatedHere = invited.length && invited.every((player) => savedPlayers.includes(player));
  if (invited.length && !isSeatedHere) return acceptInvitation(id, invited, token, saved, state, onRetry);
  clearToken();
  if (savedPlayers.length) return seatResult(saved, savedState);
  if (saved) removeSeat(id);
  const news = state.invited ? INVITATION_USED : "This link opens no seat here. You are watching.";
  return { ...seatResult(SPECTATOR, state), news };
}

/** The state for a stored seat. If its players are known, that is the public state, which may be in the page. */
const fetchSeatState = async (id, { token, you }) => (you ? { ...(await fetchMatch(id)), you } : fetchMatch(id, token));

/** Store the invitation together with the token of this device that will replace it. */
async function acceptInvitation(id, invited, invitation, saved, state, onRetry) {
  const seat = { token: saved?.by === invitation ? saved.token : newToken(), invite: null, by: invitation };
  if (saveSeat(id, seat)) clearToken();
  if (!invited.every((player) => state.joined[player - 1])) return { ...seatResult(seat, state), invited };
  return takeSeat(id, seat, invited, undefined, onRetry); // another device of the same player
}

/** Take the seat with the invitation, which is used up. Sending it again is harmless. */
export async function takeSeat(id, { token, by: invitation }, invited, name, onRetry) {
  const state = await joinMatch(id, invitation, { name, newToken: token }, onRetry);
  const seat = { token, invite: null, you: invited };
  clearToken(saveSeat(id, seat) ? "" : `#seat=${token}`);
  return seatResult(seat, { ...state, you: invited });
}

const seatResult = (seat, state) => ({ seat, state, you: state.you ?? [], invited: [], news: "" });
