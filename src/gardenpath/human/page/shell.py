"""The HTML around the participant's page, and the files it loads."""

from html import escape
from importlib.resources import files

from gardenpath import __version__
from gardenpath.human.spec import StudySpec

SCRIPTS = ("dom.js", "pages.js", "tasks.js", "server.js", "study.js")
"""The scripts of the server's page, in the order they are loaded."""
LOCAL_SCRIPTS = ("dom.js", "pages.js", "tasks.js", "local.js", "under_jatos.js", "study.js")
"""The scripts of an exported page, in which another module saves the answers."""
STYLE = "study.css"
CONTENT_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
NAMES = frozenset({*SCRIPTS, *LOCAL_SCRIPTS, STYLE})
NO_SCRIPT = "This study needs JavaScript. Please switch it on, or use another browser."


def page_html(spec: StudySpec, *, assets: str = "/assets") -> str:
    """Return the page a server shows to participants; everything else comes through its scripts."""
    address = escape(assets.rstrip("/"))
    loaded = "\n".join(f'<script defer src="{address}/{name}?v={escape(__version__)}"></script>' for name in SCRIPTS)
    style = f'<link rel="stylesheet" href="{address}/{STYLE}?v={escape(__version__)}">'
    return shell_html(spec, head=f"{style}\n{loaded}")


def shell_html(spec: StudySpec, *, head: str, foot: str = "") -> str:
    """Return the HTML that the server's page and an exported file share."""
    return f"""<!DOCTYPE html>
<html lang="{escape(spec.language)}" dir="{escape(spec.direction)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>{escape(spec.title)}</title>
<link rel="icon" href="data:,">
{head}
</head>
<body data-panel="{escape(spec.panel.id_parameter)}">
<div id="connection" role="alert"></div>
<header id="progress" hidden><b></b> <progress value="0" max="1"></progress> <span></span></header>
<main id="stage" tabindex="-1"></main>
<div id="live" class="unseen" aria-live="polite"></div>
<noscript><p class="note">{escape(NO_SCRIPT)}</p></noscript>
{foot}</body>
</html>
"""


def asset(name: str) -> bytes:
    """Return a file of the page; only the names the page uses are known, others raise KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return files(__package__).joinpath("assets", name).read_bytes()


def content_type(name: str) -> str:
    """Return the content type of a file of the page."""
    return CONTENT_TYPES[name.rpartition(".")[2]]
