// What a device keeps of a class, by its code: the token of the teacher, or of a pupil.

import { forget, remember, remembered, rememberedUnder } from "./memory.js";
import { link } from "./root.js";
import { clearToken } from "./seat.js";

const CLASS = "class.";
const A_DAY = 24 * 60 * 60 * 1000;

/** {teacher, pupil, at}: the tokens that this device has for a class; empty without any. */
export const keptClass = (code) => remembered(CLASS + code, {});

/** Keep a token; false in a window without storage, where only the address can hold it. */
export const keepClass = (code, tokens) =>
  remember(CLASS + code, { ...keptClass(code), ...tokens, at: Date.now() });

export const dropClass = (code) => forget(CLASS + code);

/** The code of the class that this device was in last, if that was today. */
export function lastClass() {
  const [last] = rememberedUnder(CLASS).sort(([, one], [, two]) => two.at - one.at);
  return last && Date.now() - last[1].at < A_DAY ? last[0] : null;
}

/** The teacher's token: one in the address is kept here, and leaves the address, where all could read it. */
export function teachersToken(code) {
  const linked = new URLSearchParams(location.hash.slice(1)).get("teacher");
  if (linked && keepClass(code, { teacher: linked })) clearToken();
  return linked ?? keptClass(code).teacher ?? null;
}

/** The link that opens the teacher's page on any device. */
export const teachersLink = (code, token) => link(`/class/${code}#teacher=${token}`);

/** A code as it is typed: in any case, with blanks. */
export const readCode = (typed) => typed.replace(/[^a-z0-9]/gi, "").toLowerCase();
