// The interface of classes. What a teacher does may be sent twice: it is done once.

import { ask, insist, request } from "./api.js";
import { save } from "./save.js";

const path = (code, ...rest) => ["api/classes", encodeURIComponent(code), ...rest].join("/");

/** What a teacher or a pupil does, like starting a round: the class after it. */
export const post = (code, what, token, body) => insist("POST", path(code, what), { token, body });

export const createClass = () => request("POST", "api/classes", { body: {} });
export const classView = (code, token) => request("GET", path(code), { token });
/** The stream of a class. The key is that of the view: without one a stream counts to the address, as at the door. */
export const classEvents = (code, key) => path(code, `events${key ? `?key=${key}` : ""}`);
export const joinClass = (code, token, name) => post(code, "join", undefined, { name: name || null, token });
export const endClass = (code, token) => request("POST", path(code, "end"), { token, body: {} });
export const solveInClass = (code, token, { game, options, moves }) =>
  request("POST", path(code, "solve"), { token, body: { game, options, moves } });
export const classResults = (code, token) => request("GET", path(code, "results"), { token });

/** A function that asks for the class as it stands, and tells `take`; `over` is told if there is none any more. */
export const lookingAt = (code, token, take, over) => async () => {
  try {
    take(await classView(code, token));
  } catch (error) {
    if (error.status !== 404) throw error;
    over();
  }
};

/** The results as a file, which needs the token: so it is fetched, and then saved by the page. */
export async function saveResults(code, token) {
  const answer = await ask("GET", path(code, "results.csv"), { token, accept: "text/csv" });
  save(`class-${code}.csv`, await answer.blob());
}
