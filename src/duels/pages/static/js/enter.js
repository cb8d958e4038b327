// Which seat this device has in a match: the one that is kept here, or the one that a link brings.

import { join, matchState } from "./api.js";
import { clearToken, dropSeat, keepSeat, keptSeat, linkedToken, newToken } from "./seat.js";

const WATCHING = null;
export const USED = "This invitation has been used. You are watching.";

/**
 * {seat, you, invited, news, state}: `you` are the players for whom this device may move, `invited`
 * those for whom it may as soon as a name is given. A token in the address is believed when the
 * server knows it; it leaves the address when this device keeps what it needs.
 */
export async function enter(id, onTrouble) {
  const linked = linkedToken();
  const kept = keptSeat(id);
  const known = kept && (await matchState(id, kept.token));
  const mine = known?.you ?? [];
  if (linked && linked === kept?.invite) {
    clearToken();
    return { ...seated(kept, known), news: "This is your own invitation: send it to a friend." };
  }
  const token = linked && linked !== kept?.token ? linked : mine.length ? null : kept?.by;
  if (!token) {
    if (kept) clearToken();
    return seated(kept, known ?? (await matchState(id)));
  }
  const state = await matchState(id, token);
  if (state.you) {
    if (keepSeat(id, { token, invite: null })) clearToken();
    return seated({ token, invite: null }, state);
  }
  const invited = state.invited ?? [];
  const isHere = invited.length && invited.every((player) => mine.includes(player));
  if (invited.length && !isHere) return accept(id, invited, token, kept, state, onTrouble);
  clearToken();
  if (mine.length) return seated(kept, known);
  if (kept) dropSeat(id);
  const news = state.invited ? USED : "This link opens no seat here. You are watching.";
  return { ...seated(WATCHING, state), news };
}

/** An invitation, and a token of this device that shall take its place; both are kept at once. */
async function accept(id, invited, by, kept, state, onTrouble) {
  const seat = { token: kept?.by === by ? kept.token : newToken(), invite: null, by };
  if (keepSeat(id, seat)) clearToken();
  if (!invited.every((player) => state.joined[player - 1])) return { ...seated(seat, state), invited };
  return sitDown(id, seat, invited, undefined, onTrouble); // another device of somebody who plays already
}

/** Use the invitation up. Sent again by this device it does no harm. */
export async function sitDown(id, { token, by }, invited, name, onTrouble) {
  const state = await join(id, by, { name, own: token }, onTrouble);
  const seat = { token, invite: null };
  clearToken(keepSeat(id, seat) ? "" : `#seat=${token}`);
  return seated(seat, { ...state, you: invited });
}

const seated = (seat, state) => ({ seat, state, you: state.you ?? [], invited: [], news: "" });
