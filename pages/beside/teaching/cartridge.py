"""All lessons and the ready plans as links in a Common Cartridge, which an LMS takes as a course.

Version 1.1, since Moodle restores 1.0 and 1.1, and Canvas reads 1.0 to 1.3.

Source: IMS Common Cartridge Profile 1.1; web links are its part 4.6.
"""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from mlm_core.exercises.own.qti import as_file, named, zipped
from pages.beside.teaching.lesson_plan import Plan
from pages.beside.teaching.places import place_of
from pages.server.course.lessons import CONCEPT_TEST, LESSONS, Lesson
from pages.server.course.sections import IN_LINK
from pages.server.course.words import Words, read_words

CARTRIDGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
METADATA = "http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest"
WEB_LINK = "http://www.imsglobal.org/xsd/imsccv1p1/imswl_v1p1"
Links = Sequence[tuple[str, str]]  # titles and whole links


def as_cartridge(plans: Mapping[str, Plan], words: Words, address: str, language: str) -> bytes:
    """Return the zip; links begin with the app's address, plans are by their titles."""
    lessons = [
        (_title(lesson, language), f"{lesson.slug}?{IN_LINK}={language}")
        for lesson in (*LESSONS, CONCEPT_TEST)
    ]
    parts: dict[str, Links] = {words.plain("save_lessons"): lessons}
    parts |= {title: _steps(plan, words, language) for title, plan in plans.items()}
    return _packed(
        words.plain("example_title"),
        {title: [(name, address + link) for name, link in links] for title, links in parts.items()},
        language,
    )


def _title(lesson: Lesson, language: str) -> str:
    title = read_words(lesson.slug, language).plain("title")
    return f"{lesson.number} {title}" if lesson.number else title


def _steps(plan: Plan, words: Words, language: str) -> Links:
    """Return the steps that have a view, each with its time."""
    links = []
    for position, step in enumerate(plan.steps):
        place = place_of(step.link) if step.link else None
        if place is not None:
            start = plan.begins(position)
            when = words.plain("when", start=start, end=start + step.minutes)
            join = "&" if "?" in place.link else "?"
            has_language = IN_LINK in place.parameters
            link = place.link if has_language else f"{place.link}{join}{IN_LINK}={language}"
            links.append((f"{place.title} ({when})", link))
    return links


def _packed(title: str, parts: Mapping[str, Links], language: str) -> bytes:
    root = Element("manifest", {"xmlns": CARTRIDGE, "xmlns:lom": METADATA})
    root.set("identifier", named((title, parts)))
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "IMS Common Cartridge"
    SubElement(metadata, "schemaversion").text = "1.1.0"
    of_title = metadata
    for name in ("lom", "general", "title"):
        of_title = SubElement(of_title, f"lom:{name}")
    SubElement(of_title, "lom:string", language=language).text = title
    organizations = SubElement(root, "organizations")
    shape = {"identifier": "course", "structure": "rooted-hierarchy"}
    course = SubElement(SubElement(organizations, "organization", shape), "item", identifier="root")
    resources, files = SubElement(root, "resources"), {}
    for part, links in parts.items():
        module = SubElement(course, "item", identifier=named(part))
        SubElement(module, "title").text = part
        for name, link in links:
            # The same link in two parts is two of them in the course.
            ident = named((part, name, link))
            item = SubElement(module, "item", identifier=f"{ident}_item", identifierref=ident)
            SubElement(item, "title").text = name
            resource = SubElement(resources, "resource", identifier=ident, type="imswl_xmlv1p1")
            SubElement(resource, "file", href=f"{ident}.xml")
            web_link = Element("webLink", xmlns=WEB_LINK)
            SubElement(web_link, "title").text = name
            SubElement(web_link, "url", href=link, target="_blank")
            files[f"{ident}.xml"] = as_file(web_link)
    return zipped({"imsmanifest.xml": as_file(root), **files})
