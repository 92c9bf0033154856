"""Where the link of a step leads: a view of a lesson, another page of the app, or nowhere."""

from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from pages.beside.teaching.view import UnreadableLinkError, View, read_link
from pages.kit.rows import OPENING
from pages.server.course.lessons import BESIDE, HOME, LOOK_IT_UP, PAGES, Lesson
from pages.server.course.words import read_words


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page of the app with parameters."""

    page: Lesson
    title: str
    parameters: dict[str, list[str]]

    @property
    def slug(self) -> str:
        """Return what stands in its link for the page; nothing for home."""
        return "" if self.page.slug == HOME else self.page.slug

    @property
    def link(self) -> str:
        """Return its link without the app's address, percent-encoded: `masking?masking_part=why`.

        It is made of what was read and not of what was written, so that nothing can be in it
        that would end a link in Markdown.
        """
        asked = urlencode(self.parameters, doseq=True, quote_via=quote)
        return f"{self.slug}?{asked}" if asked else self.slug


def place_of(link: str) -> Place | None:
    """Return where a step's link leads; None if it is no page of this app."""
    try:
        view = read_link(link)
    except UnreadableLinkError:
        return _beside(link)
    return Place(page=view.lesson, title=title_of(view), parameters=parameters_of(view))


def title_of(view: View) -> str:
    """Return the lesson's title and the part's."""
    words = read_words(view.lesson.slug)
    return f"{words.label('title')}: {part_title(view.lesson.slug, view.place)}"


def part_title(slug: str, part: str) -> str:
    """Return a part's title; a part that isn't there is the opening, as on the page."""
    try:
        return read_words(slug).label(f"part_{part}")
    except KeyError:
        return read_words(LOOK_IT_UP.slug).label(OPENING)


def parameters_of(view: View) -> dict[str, list[str]]:
    """Return all parameters of a view's link, those with several values too."""
    found: dict[str, list[str]] = {}
    for key, value in view.query():
        found.setdefault(key, []).append(value)
    return found


def _beside(link: str) -> Place | None:
    try:
        parts = urlsplit(link.strip())
        asked = parse_qs(parts.query, max_num_fields=200)
    except ValueError:
        return None
    slug = parts.path.strip("/")
    is_home = link.strip() and not (parts.scheme or parts.netloc or slug)
    page = PAGES[HOME] if is_home else next((one for one in BESIDE if one.slug == slug), None)
    if page is None:
        return None
    return Place(page=page, title=read_words(page.slug).label("title"), parameters=asked)
