// What a device keeps of a class, by its code: the secret of the teacher, or of a pupil.

import { link } from "./root.js";
import { clearSecret } from "./seat.js";

const KEY = "duels.class.";
const A_DAY = 24 * 60 * 60 * 1000;

/** {teacher, pupil, at}: the secrets that this device has for a class; empty without any. */
export function keptClass(code) {
  try {
    return JSON.parse(localStorage.getItem(KEY + code)) ?? {};
  } catch {
    return {};
  }
}

/** Keep a secret; false in a window without storage, where only the address can hold it. */
export function keepClass(code, secrets) {
  try {
    const kept = { ...keptClass(code), ...secrets, at: Date.now() };
    localStorage.setItem(KEY + code, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function dropClass(code) {
  try {
    localStorage.removeItem(KEY + code);
  } catch {
    // Nothing was kept.
  }
}

/** The class that this device was in last, if that was today. */
export function lastClass() {
  try {
    const codes = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
    const kept = codes.map((key) => ({ code: key.slice(KEY.length), ...keptClass(key.slice(KEY.length)) }));
    return kept.filter(({ at }) => Date.now() - at < A_DAY).sort((one, two) => two.at - one.at)[0] ?? null;
  } catch {
    return null;
  }
}

/** The teacher's secret: one in the address is kept here, and leaves the address, where all could read it. */
export function teachersSecret(code) {
  const linked = new URLSearchParams(location.hash.slice(1)).get("teacher");
  if (linked && keepClass(code, { teacher: linked })) clearSecret();
  return linked ?? keptClass(code).teacher ?? null;
}

/** The link that opens the teacher's page on any device. */
export const teachersLink = (code, secret) => link(`/class/${code}#teacher=${secret}`);

/** A code as it is typed: in any case, with blanks. */
export const readCode = (typed) => typed.replace(/[^a-z0-9]/gi, "").toLowerCase();
