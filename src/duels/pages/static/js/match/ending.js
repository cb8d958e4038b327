// The end of a match: what decided it, the score, one next challenge, a picture to share, and the replay.

import { fetchResultPicture } from "../lib/api.js";
import { button, linkButton } from "../lib/controls.js";
import { announce, downloadFile, el, fill, setText } from "../lib/dom.js";
import { reducedMotion, wideScreen } from "../lib/effects.js";
import { saveFinishedGame, saveReview } from "../lib/history.js";
import { copyText } from "../lib/links.js";
import { endFor, playerAt, statusFor } from "../lib/notation.js";
import { loadItem } from "../lib/storage.js";
import { hasServer, link } from "../lib/urls.js";
import { replayLink, startMatch } from "./seats.js";

const SCALE = 2; // pixels of the shared PNG for each of the drawing
const REPLAY = 1400; // milliseconds of all moves together

/** The links of challenges that start no match. */
const LINKS = {
  lesson: ({ game }, label) => linkButton(`/learn/${game}`, label, "primary large"),
  puzzles: ({ game }, label) =>
    linkButton(`/puzzle?${new URLSearchParams({ game, difficulty: "hard" })}`, label, "primary large"),
};

/** The panel after the game. `rematch` has the button and the offers, `backLink` leads to the class. */
export function endPanel(match, rematch, backLink, openReview) {
  const turningPoint = el("p.turning-point");
  const tally = el("p.tally");
  const challengeText = el("p.challenge");
  const primary = el("div.primary-action.row");
  const reviewButton = button("Review", openReview);
  const share = shareButton(match);
  const newGameLink = linkButton("/", "New game");
  const others = el("div.row.other-actions");
  const element = el(
    "section.panel.after.stack",
    { "aria-label": "After the game", hidden: true },
    turningPoint,
    tally,
    challengeText,
    primary,
    others,
  );
  let review = null;
  let hasFailed = false;
  let isStored = false;
  let shownKey = "";

  /** Load the review, which names the turning point and the challenge. */
  async function load() {
    review = await match.loadReview().catch(() => null);
    hasFailed = !review;
  }

  /** Scroll until the next step is in view; after a game that ends here, once the moves were replayed. */
  function reveal(isReplaying = false) {
    const behavior = reducedMotion.matches ? "auto" : "smooth";
    setTimeout(() => primary.scrollIntoView({ block: "nearest", behavior }), isReplaying && !reducedMotion.matches ? REPLAY : 0);
  }

  function show(state, you, isReviewing) {
    element.hidden = !state.outcome;
    if (!state.outcome) return;
    store(state, you);
    const offer = rematch.offer(state);
    const isFromLesson = loadItem("lesson-match", {}).id === match.id;
    const key = JSON.stringify([offer?.text, Boolean(review), hasFailed, isReviewing, isFromLesson, you, state.class_code]);
    if (key === shownKey) return; // the buttons keep the focus
    shownKey = key;
    const end = review && endFor(review, you);
    const challenge = you.length && !state.class_code ? end?.challenge : null;
    const main = primaryActions(state, offer, challenge, isFromLesson);
    element.classList.toggle("loading", main.length === 0 && you.length > 0);
    setText(turningPoint, (!isReviewing && end?.turning_point) || ""); // the review begins with it
    setText(tally, statusFor(state, you).tally);
    setText(challengeText, offer?.text ?? ((!isFromLesson && challenge?.text) || ""));
    fill(primary, main);
    const hasOwnTurningPoint = review?.turning_points.some((turn) => you.includes(playerAt(turn - 1)));
    fill(
      others,
      [
        !isReviewing && reviewButton,
        !state.class_code && rematch.element,
        hasOwnTurningPoint && !state.class_code && challenge?.kind !== "retry" && linkButton(`/puzzle?own=${match.id}`, "Try your turning point again"),
        share.element,
        !state.class_code && newGameLink,
      ].filter((one) => one && !main.includes(one)),
    );
    reviewButton.classList.toggle("primary", main.length === 0 && !you.length);
  }

  function primaryActions(state, offer, challenge, isFromLesson) {
    rematch.element.classList.remove("primary", "large");
    if (state.class_code) return [backLink];
    if (offer) return offer.buttons();
    if (isFromLesson) return [LINKS.lesson(state, "Back to the lesson")];
    if (!match.you.length || !(challenge || hasFailed)) return [];
    if (!challenge || challenge.kind === "rematch") {
      rematch.element.classList.add("primary", "large");
      return [rematch.element];
    }
    if (challenge.match) return [button(challenge.label, () => accept(state, challenge), "primary large")];
    return [LINKS[challenge.kind](state, challenge.label)];
  }

  /** Start the match of a challenge, with the board shown as it was. */
  const accept = (state, challenge) =>
    match.attempt(() => startMatch({ ...challenge.match, show_moves: state.show_moves }));

  /** Store the finished game on this device; games of a class are not stored, as pupils share devices. */
  async function store(state, you) {
    if (state.class_code || (isStored && !review)) return;
    isStored = true;
    const saved = await saveFinishedGame({ id: match.id, state, you }).catch(() => null);
    if (saved && review && !saved.chances) saveReview(match.id, { chances: review.chances });
  }

  return { element, load, reveal, show };
}

/** Keep a panel at the top of the side column on a wide page; above what is `below` it on others, and during a review. */
export function placeBeside(panel, side, below, isReviewing = () => false) {
  const place = () => {
    const isBeside = wideScreen.matches && !isReviewing();
    if (isBeside && panel.parentNode !== side) side.prepend(panel);
    if (!isBeside && below.previousSibling !== panel) below.before(panel);
  };
  wideScreen.addEventListener("change", place);
  return place;
}

const FLASH = { transform: "scale(1.12)", borderColor: "currentcolor", opacity: 1, offset: 0.4 };

/** Replay the moves on the final board, one after the other; any key or tap ends it. */
export function replayMoves(board, moves) {
  if (reducedMotion.matches || !moves.length) return;
  const tiles = new Map([...board.querySelectorAll(".tile[data-number]")].map((tile) => [tile.dataset.number, tile]));
  const digits = board.querySelectorAll(".digit");
  const animations = moves.flatMap((move, ply) => {
    const parts = digits.length === moves.length ? [digits[ply]] : (tiles.get(move) ?? move.split("-").map((part) => tiles.get(part)));
    const delay = (REPLAY * ply) / moves.length;
    const isLast = ply === moves.length - 1;
    return [parts].flat().filter(Boolean).map((tile) => flash(tile, delay, isLast));
  });
  const skip = () => animations.forEach((animation) => animation.cancel());
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, skip, { once: true, capture: true });
}

const flash = (tile, delay, isLast) =>
  tile.animate(isLast ? [{}, { ...FLASH, transform: "scale(1.35)" }, {}] : [{ opacity: 0.25 }, FLASH, {}], {
    delay,
    duration: isLast ? 900 : 450,
    easing: "ease-out",
    fill: "backwards",
  });

/** A button that shares the picture; where the browser cannot, the picture is saved and the link copied. */
function shareButton(match) {
  const label = "Share";
  const element = button(label, share);

  async function share() {
    const blob = await match.attempt(async () => drawPng(await fetchResultPicture(match.id)));
    if (!blob) return;
    const { title, status, game } = match.state;
    const file = new File([blob], `${game}-${match.id}.png`, { type: "image/png" });
    const text = `${title}: ${status}`;
    const url = hasServer ? replayLink(match.id) : link("/");
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], text, url }).catch(() => {}); // the player closed the dialog
      return;
    }
    downloadFile(file.name, blob);
    const isCopied = await copyText(`${text} ${url}`);
    element.textContent = isCopied ? "Picture saved, link copied ✓" : "Picture saved ✓";
    announce(isCopied ? "The picture was saved, and the link was copied." : "The picture was saved.");
    setTimeout(() => (element.textContent = label), 2500);
  }

  return { element };
}

/** Draw an SVG as a PNG. */
async function drawPng(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ground"); // messengers show clear corners black
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
