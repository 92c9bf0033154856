"""What is wholly on the screen of a projector."""

SCREENS = ({"width": 1920, "height": 1080}, {"width": 1366, "height": 768})
# The first figure of what is projected, the opening or a part, is wholly on the screen.
IS_WHOLE = """(of) => {
  const place = document.querySelector("[data-presenting] " + of);
  if (!place?.checkVisibility()) return false;
  const isIn = (one) => place.contains(one) ||
    of.endsWith("part_top") && place.compareDocumentPosition(one) & 4;
  const figure = [...document.querySelectorAll("[class*=_keep]")].filter(isIn)
    .map((one) => document.querySelector("." + one.className.match(/st-key-\\S+(?=_keep)/)[0]))
    .find((one) => one?.checkVisibility());
  const box = figure?.getBoundingClientRect();
  return box?.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 &&
    box.right <= innerWidth;
}"""
OPENING, PART = ".st-key-opening_figure", ".st-key-part_top"
