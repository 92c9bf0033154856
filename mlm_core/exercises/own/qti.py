"""Questions in QTI 1.2, the version that Canvas reads in all its editions, as a zip.

    imsmanifest.xml                names the files
    assessment_1.xml ...           one for each category: items with what is asked, what is right
                                   (respcondition) and an explanation (itemfeedback)

`question_type` and the names of the feedback are Canvas's. An order and labels become a match, as
in gift.py.

Source: IMS Question & Test Interoperability 1.2.1, ASI XML binding; Canvas's import.
Read before this: gift.py.
"""

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mlm_core.exercises.own.gift import pairs_of, plain_number, without_controls
from mlm_core.exercises.own.own_question import OwnQuestion

NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
EXPLANATION = "general_fb"
Html = Callable[[str], str]  # makes HTML of Markdown
TYPES = {"number": "numerical", "order": "matching", "match": "matching", "labels": "matching"}


def write_qti(categories: Mapping[str, Sequence[OwnQuestion]], as_html: Html) -> bytes:
    """Return the zip with the questions; `as_html` makes HTML of their Markdown."""

    def markup(text: str) -> str:
        return as_html(without_controls(text))

    files, manifest = {}, Element("manifest", xmlns=PACKAGE, identifier="questions")
    metadata = SubElement(manifest, "metadata")
    SubElement(metadata, "schema").text = "IMS Content"
    SubElement(metadata, "schemaversion").text = "1.1.3"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")
    for number, (title, questions) in enumerate(categories.items(), 1):
        name = f"assessment_{number}.xml"
        settings = {"identifier": f"assessment_{number}", "type": "imsqti_xmlv1p2", "href": name}
        SubElement(SubElement(resources, "resource", settings), "file", href=name)
        files[name] = as_file(_assessment(title, questions, markup))
    return zipped({"imsmanifest.xml": as_file(manifest), **files})


def as_file(root: Element) -> bytes:
    """Return an XML file."""
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip that is equal for equal files: it says no time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def named(texts: object) -> str:
    """Return an identifier of something, another one for other texts.

    An import replaces what has the same identifier as something that is there.
    """
    return f"m{hashlib.sha256(repr(texts).encode()).hexdigest()[:24]}"


def _assessment(title: str, questions: Sequence[OwnQuestion], markup: Html) -> Element:
    root = Element("questestinterop", xmlns=NAMESPACE)
    ident = named((title, questions))
    assessment = SubElement(root, "assessment", ident=ident, title=without_controls(title))
    section = SubElement(assessment, "section", ident=f"{ident}_section")
    for number, question in enumerate(questions, 1):
        item = SubElement(section, "item", ident=f"{ident}_{number}", title=str(number))
        _fill(item, question, markup)
    return root


def _fill(item: Element, question: OwnQuestion, markup: Html) -> None:
    kind = TYPES.get(
        question.kind, "multiple_answers" if question.takes_several else "multiple_choice"
    )
    metadata = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
    for name, value in (("question_type", f"{kind}_question"), ("points_possible", "1")):
        field = SubElement(metadata, "qtimetadatafield")
        SubElement(field, "fieldlabel").text, SubElement(field, "fieldentry").text = name, value
    presentation = SubElement(item, "presentation")
    _say(presentation, markup(question.text))
    processing = SubElement(item, "resprocessing")
    outcome = {"varname": "SCORE", "vartype": "Decimal", "minvalue": "0", "maxvalue": "100"}
    SubElement(SubElement(processing, "outcomes"), "decvar", outcome)
    if question.explanation:
        shown = SubElement(processing, "respcondition", {"continue": "Yes"})
        SubElement(SubElement(shown, "conditionvar"), "other")
        SubElement(shown, "displayfeedback", feedbacktype="Response", linkrefid=EXPLANATION)
    if question.kind == "choice":
        _choice(presentation, processing, question, markup)
    elif question.kind == "number":
        _number(presentation, processing, question)
    else:
        _match(presentation, processing, question, markup)
    if question.explanation:
        feedback = SubElement(item, "itemfeedback", ident=EXPLANATION)
        _say(SubElement(feedback, "flow_mat"), markup(question.explanation))


def _choice(
    presentation: Element, processing: Element, question: OwnQuestion, markup: Html
) -> None:
    several = "Multiple" if question.takes_several else "Single"
    response = SubElement(presentation, "response_lid", ident="response1", rcardinality=several)
    _offer(response, [markup(option) for option in question.options])
    where = _scored(processing, "Set", "100")
    if question.takes_several:
        where = SubElement(where, "and")
        for at in range(len(question.options)):
            of = where if at in question.right else SubElement(where, "not")
            SubElement(of, "varequal", respident="response1").text = f"a{at}"
    else:
        SubElement(where, "varequal", respident="response1").text = f"a{question.right[0]}"


def _number(presentation: Element, processing: Element, question: OwnQuestion) -> None:
    response = SubElement(presentation, "response_str", ident="response1", rcardinality="Single")
    answer = SubElement(response, "render_fib", fibtype="Decimal")
    SubElement(answer, "response_label", ident="answer1")
    where = SubElement(_scored(processing, "Set", "100"), "or")
    right, width = Decimal(repr(question.number)), Decimal(repr(question.tolerance))
    exact = plain_number(question.number)
    SubElement(where, "varequal", respident="response1").text = exact
    between = SubElement(where, "and")
    for name, bound in (("vargte", right - width), ("varlte", right + width)):
        SubElement(between, name, respident="response1").text = format(bound, "f")


def _match(presentation: Element, processing: Element, question: OwnQuestion, markup: Html) -> None:
    pairs = pairs_of(question)
    offered = sorted({right for _, right in pairs})  # labels may be equal
    for at, (left, right) in enumerate(pairs):
        ident = f"response_{at}"
        response = SubElement(presentation, "response_lid", ident=ident, rcardinality="Single")
        _say(response, markup(left))
        _offer(response, [without_controls(one) for one in offered], "text/plain")
        where = _scored(processing, "Add", f"{100 / len(pairs):.2f}")
        SubElement(where, "varequal", respident=ident).text = f"a{offered.index(right)}"


def _offer(response: Element, options: Sequence[str], texttype: str = "text/html") -> None:
    choice = SubElement(response, "render_choice")
    for at, option in enumerate(options):
        _say(SubElement(choice, "response_label", ident=f"a{at}"), option, texttype)


def _scored(processing: Element, action: str, points: str) -> Element:
    """Add a condition that gives points; return where it says when."""
    condition = SubElement(
        processing, "respcondition", {"continue": "No" if action == "Set" else "Yes"}
    )
    where = SubElement(condition, "conditionvar")
    SubElement(condition, "setvar", action=action, varname="SCORE").text = points
    return where


def _say(parent: Element, text: str, texttype: str = "text/html") -> None:
    SubElement(SubElement(parent, "material"), "mattext", texttype=texttype).text = text
