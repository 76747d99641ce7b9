"""The words participants read where a study gives none of its own."""

from gardenpath.human.spec import StudySpec, Task

INSTRUCTIONS: dict[Task, str] = {
    "choice": (
        "You will see sentences that differ in a word or two. Choose the one that sounds more natural to you.\n\n"
        "There is no trick, and what you were taught at school does not matter: we want to know how the sentences "
        "sound to you. Go with your first impression.\n\n"
        "Click or tap a sentence, or press the key with its number."
    ),
    "rating": (
        "You will see one sentence at a time. Rate how natural it sounds to you.\n\n"
        "There is no trick, and what you were taught at school does not matter: we want to know how the sentence "
        "sounds to you. Please use the whole scale.\n\n"
        "Click or tap a point of the scale, press the key with its number, or move with the arrow keys and press Enter."
    ),
    "reading": (
        "You will read sentences piece by piece. At first you see only dashes.\n\n"
        "Press the space bar, or tap the sentence, to see the first piece. Each further press shows the next piece and "
        "covers the one before; you cannot go back.\n\n"
        "Read at your natural pace, so that you understand the sentence. Some sentences are followed by a question."
    ),
    "maze": (
        "You will build sentences word by word. Each time you see two words; only one of them continues the sentence."
        "\n\n"
        "Choose it with the left or right arrow key (or E and I), or tap it. If you choose the wrong word, you are "
        "told so and can try again.\n\n"
        "Be as quick as you can without making mistakes."
    ),
}
"""Instructions for every task; a blank line begins a paragraph."""
PROMPTS: dict[Task, str] = {
    "choice": "Which sentence sounds more natural?",
    "rating": "How natural does this sentence sound?",
    "reading": "Press the space bar, or tap the sentence, to read on.",
    "maze": "Which word continues the sentence?",
}
"""What stands above every trial."""
PHRASES: tuple[str, ...] = (
    "Agree",
    "Before you begin",
    "Choose one",
    "Connection lost, trying again …",
    "Consent",
    "Continue",
    "Copied",
    "Copy",
    "Do not agree",
    "Instructions",
    "It is too late to continue this session.",
    "Leave this empty",
    "New participant",
    "One last step",
    "Please answer this question.",
    "Practice",
    "Save your answers",
    "Saving your answers …",
    "Start",
    "Take a break, as long as you like.",
    "Thank you",
    "That word does not continue the sentence. Try again.",
    "The practice is over. Now the study begins.",
    "The study could not be loaded. Please reload this page.",
    "This study cannot be continued",
    "Time for a break",
    "Welcome back",
    "You continue where you stopped.",
    "You did not agree, so nothing was saved. You can close this page.",
    "You will now be taken back.",
    "Your answers have been saved to a file. Please send it to the researcher.",
    "Your completion code",
    "optional",
    "{point} of {points}",
    "{trial} of {trials}",
)
"""All words of the page that `phrases` of a study may translate."""


def instructions(spec: StudySpec) -> str:
    """What participants read before the trials: the study's own text, or the one for the task."""
    return spec.instructions or INSTRUCTIONS[spec.task]


def prompt(spec: StudySpec) -> str:
    """What stands above every trial: the study's own text, or the one for the task."""
    return spec.prompt or PROMPTS[spec.task]
