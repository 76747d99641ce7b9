"""The researcher's pages as HTML: plain forms and tables, without any script."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from gardenpath import __version__
from gardenpath.human.server.markup import Html, join, tag
from gardenpath.human.server.overview import Overview, SessionSummary
from gardenpath.human.spec import StudySpec

MOST_SESSIONS = 500
"""Sessions in the table; downloads have all."""
STATUSES = {"complete": "complete", "active": "in progress", "expired": "dropped out", "rejected": "rejected"}
DOWNLOADS = {
    "responses.csv": "Responses (CSV)", "responses.json": "Responses (JSON)", "sessions.csv": "Sessions (CSV)",
}  # fmt: skip


def whole_page(title: str, *inside: Html) -> str:
    """A page of the researcher."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("link", rel="stylesheet", href=f"/researcher/researcher.css?v={__version__}"),
    )
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", tag("main", *inside)), lang="en")


def login_page(form_token: str, *, error: str = "") -> str:
    """The form that asks for the password."""
    return whole_page(
        "Researcher",
        tag("h1", "Researcher"),
        tag("p", error, role="alert", class_="error") if error else Html(),
        tag(
            "form",
            hidden_token(form_token),
            tag("label", "Password", for_="password"),
            tag(
                "input", type="password", id="password", name="password", required=True, autofocus=True,
                autocomplete="current-password", maxlength="200",
            ),
            tag("button", "Log in"),
            method="post", action="/researcher/login", class_="login",
        ),
    )  # fmt: skip


def message_page(title: str, message: str) -> str:
    """A page with one sentence, and the way back."""
    back = tag("p", tag("a", "Back to the study", href="/researcher"))
    return whole_page(title, tag("h1", title), tag("p", message, role="alert"), back)


def dashboard(spec: StudySpec, overview: Overview, form_token: str) -> str:
    """The page that shows how a study is going."""
    return whole_page(
        f"{spec.title}: results so far",
        tag("h1", spec.title),
        tag(
            "nav",
            tag("a", "Refresh", href="/researcher"),
            *(tag("a", text, href=f"/researcher/{name}") for name, text in DOWNLOADS.items()),
            button("logout", "Log out", form_token),
            aria_label="Study",
        ),
        summary(overview),
        open_or_closed(overview, form_token),
        lists_table(spec, overview),
        accuracy_table(overview),
        sessions_table(overview, form_token),
        erasure_form(form_token),
    )


def summary(overview: Overview) -> Html:
    """The numbers that matter most."""
    minutes = overview.median_minutes()
    failed = sum(one.failed_checks > 0 for one in overview.sessions)
    figures = {
        **{text.capitalize(): str(overview.count(status)) for status, text in STATUSES.items()},
        "Median minutes": "–" if minutes is None else f"{minutes:.1f}",
        "Failed a check": str(failed),
        "Filled the hidden field": str(sum(one.hidden_field for one in overview.sessions)),
    }
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in figures.items()))


def open_or_closed(overview: Overview, form_token: str) -> Html:
    """Whether newcomers are let in, and the button that changes it."""
    state = "The study is closed: only participants who have begun may go on." if overview.closed else (
        "The study is open to new participants."
    )  # fmt: skip
    change = ("reopen", "Open the study") if overview.closed else ("close", "Close the study")
    return tag("section", tag("p", state), button(*change, form_token))


def lists_table(spec: StudySpec, overview: Overview) -> Html:
    """How full every list is."""
    rows = [
        [number, *(counts[status] for status in STATUSES), spec.target]
        for number, counts in overview.statuses.items()
    ]  # fmt: skip
    return table("Lists", ["list", *STATUSES.values(), "target"], rows)


def accuracy_table(overview: Overview) -> Html:
    """How many answers are right so far."""
    rows: list[list[str | int]] = [
        [*key, right, judged, f"{right / judged:.1%}"] for key, (right, judged) in overview.accuracy.items()
    ]
    return table("Accuracy so far", ["role", "condition", "right", "of", "share"], rows)


def sessions_table(overview: Overview, form_token: str) -> Html:
    """The newest sessions, one in a row."""
    heading = ["started", "list", "order", "status", "trials", "right", "checks failed", "focus lost", "hidden field",
               "minutes", "", "participant"]  # fmt: skip
    shown = [session_row(one, form_token) for one in overview.sessions[:MOST_SESSIONS]]
    more = len(overview.sessions) - len(shown)
    note = tag("p", f"{more} earlier sessions are in the download.") if more > 0 else Html()
    return join(table("Sessions", heading, shown), note)


def session_row(one: SessionSummary, form_token: str) -> list[str | int]:
    """A session in numbers."""
    minutes = "" if one.ended is None else f"{(one.ended - one.started) / 60_000:.1f}"
    change = ("accept", "Accept again") if one.status == "rejected" else ("reject", "Reject")
    return [
        datetime.fromtimestamp(one.started / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        one.list, one.version, STATUSES[one.status], f"{one.answered} of {one.trials}",
        f"{one.right} of {one.judged}" if one.judged else "",
        f"{one.failed_checks} of {one.checks}" if one.checks else "",
        one.lost_focus, "filled" if one.hidden_field else "", minutes,
        button(*change, form_token, session=one.id), one.participant,
    ]  # fmt: skip


def erasure_form(form_token: str) -> Html:
    """The form that erases a participant."""
    return tag(
        "section",
        tag("h2", "Erase a participant"),
        tag("p", "All answers of the participant are deleted, and cannot be brought back."),
        tag(
            "form",
            hidden_token(form_token),
            tag("label", "The panel's id of the participant, or the name in the table", for_="participant"),
            tag("input", id="participant", name="participant", required=True, maxlength="200", autocomplete="off"),
            tag("label", tag("input", type="checkbox", name="sure", value="yes", required=True), " I am sure"),
            tag("button", "Erase", class_="danger"),
            method="post", action="/researcher/erase",
        ),
    )  # fmt: skip


def table(title: str, heading: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Html:
    """A table under a heading, which scrolls sideways on a small screen."""
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    if not body:
        return tag("section", tag("h2", title), tag("p", "Nothing yet."))
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heading)))
    inner = tag("table", tag("caption", title, class_="unseen"), head, tag("tbody", *body))
    wide = tag("div", inner, class_="wide", tabindex="0", role="region", aria_label=title)
    return tag("section", tag("h2", title), wide)


def button(action: str, text: str, form_token: str, **fields: str) -> Html:
    """A form of one button."""
    values = [tag("input", type="hidden", name=name, value=value) for name, value in fields.items()]
    inside = (hidden_token(form_token), *values, tag("button", text))
    return tag("form", *inside, method="post", action=f"/researcher/{action}", class_="inline")


def hidden_token(form_token: str) -> Html:
    """The field that shows that a form is ours."""
    return tag("input", type="hidden", name="form_token", value=form_token)
