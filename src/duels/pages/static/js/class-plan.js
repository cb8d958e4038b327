// What a class plays: a game, one of its set-ups, with or without the coach, on a clock or not.

import { el, fill, selectField, tick } from "./dom.js";
import { optionsForm } from "./options-form.js";
import { LIMITS, setupChoice } from "./setup.js";
import { gameItems } from "./words.js";

/** `element`, and `plan()` as the server wants it; what is planned already is chosen. */
export function planForm(games, planned) {
  const first = games.find(({ game }) => game === planned?.game) ?? games.find(({ is_first: isFirst }) => isFirst);
  const chosen = { game: first, coach: planned?.coach ?? false, limit: planned?.time_limit ?? "" };
  const place = el("div.stack.loose");
  const time = selectField("Time", LIMITS, chosen.limit, (limit) => (chosen.limit = limit));
  const coach = tick("The coach gives hints", chosen.coach, (on) => (chosen.coach = on));
  let options = null;

  function draw(given) {
    const { game } = chosen;
    options = optionsForm(game, {}, () => setups.changed());
    const setups = setupChoice(game, options);
    if (given) {
      options.fill(given);
      setups.show(given);
    }
    const more = el(
      "details.more",
      el("summary", "More choices"),
      el("div.more-fields.stack", options.element, time),
    );
    fill(place, setups.element, coach, more);
  }

  draw(first.game === planned?.game ? planned.options : null);
  const element = el(
    "div.stack.loose",
    selectField("The game", gameItems(games), chosen.game.game, (id) => {
      chosen.game = games.find(({ game }) => game === id);
      draw();
    }),
    place,
  );
  return {
    element,
    plan: () => ({
      game: chosen.game.game,
      options: options.values(),
      coach: chosen.coach,
      time_limit: chosen.limit ? Number(chosen.limit) : null,
    }),
  };
}
