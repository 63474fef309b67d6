// What is said of entries that are not sent by themselves, because somebody has to decide.

import { made } from "./own.js";

/// That nobody is signed in here who could send them, and the way to sign in.
export function signedOut() {
  const link = made("a", "Sign in");
  link.href = `/sign-in?back=${encodeURIComponent(location.pathname + location.search)}`;
  return ["You are signed out. ", link, " or open your link again. "];
}

const roundOf = (entry) => entry.round ?? entry.fields.round;

/// Whether a slip of the entry page is one of another round than the one that is played.
export const isOver = (entry, round) => !entry.kind && (roundOf(entry) ?? round) !== round;

/// A round that is out, as the desk calls it: in a bracket by its name.
export const called = ({ round, places }) => (places ? `the ${{ 2: "final", 4: "semi-final", 8: "quarter-final" }[places] ?? `round of ${places}`}` : `round ${round}`);

/// Of which round a refused slip is.
export const ofRound = (entry) => (roundOf(entry) ? `Slip of round ${roundOf(entry)}. ` : "");

/// A line for an entry of another sign-in. `button(label, about, act)` makes a button.
export function heldLine(queue, entry, button) {
  const words = entry.typed;
  const line = document.createElement("li");
  const twice = entry.sent ? "It may be recorded already: look before you send it." : "It was never sent.";
  line.append(made("strong", `${words} waits here. `), `${entry.by || "Somebody"} entered it under an earlier sign-in. ${twice}`,
    document.createElement("br"), button("Send it", `Send ${words}`, () => queue.resend(entry)), button("Leave it", `Leave ${words}`, () => queue.forget(entry)));
  return line;
}
