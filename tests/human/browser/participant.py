"""A participant in a browser who uses a mouse, a keyboard only, or a finger on a phone."""

from typing import Any, Literal

Means = Literal["click", "key", "touch"]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1200, "height": 800}}
READY = 170
"""Milliseconds; the page takes no answer in the first 150 ms of a trial."""
DISTRACTORS = {"– – –", "goes", "lion", "whom", "did", "unless", "of", "behind"}


class Participant:
    """Somebody who takes part; errors and warnings of the page, and requests to other hosts, are recorded."""

    def __init__(self, browser: Any, address: str, means: Means = "click", **options: Any) -> None:
        self.means = means
        self.context = browser.new_context(**(PHONE if means == "touch" else DESKTOP) | options)
        self.context.set_default_timeout(15_000)
        self.window = self.context.new_page()
        self.wrong: list[str] = []
        self.window.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.window.on(
            "console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None
        )
        self.window.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.address = address

    def open(self, query: str = "") -> "Participant":
        self.window.goto(self.address + query)
        self.window.wait_for_selector("h1")
        return self

    @property
    def title(self) -> str:
        return str(self.window.locator("h1").inner_text())

    def use(self, element: Any) -> None:
        """Use a button by the participant's means; with keys, walk there with the tab key first."""
        if self.means == "click":
            element.click()
        elif self.means == "touch":
            element.tap()
        else:
            self.walk_to(element)
            self.window.keyboard.press("Enter")

    def walk_to(self, element: Any) -> None:
        handle = element.element_handle()
        for _ in range(40):
            if self.window.evaluate("element => element === document.activeElement", handle):
                assert self.window.evaluate("element => element.matches(':focus-visible')", handle)
                return
            self.window.keyboard.press("Tab")
        raise AssertionError(f"the tab key does not reach {element}")

    def go(self, name: str) -> None:
        """Use the button with this name."""
        self.use(self.window.get_by_role("button", name=name, exact=True))

    def fill_in(self, native: str = "yes") -> None:
        """Answer the questions before the trials."""
        answer = self.window.get_by_role("radio", name=native, exact=True)
        if self.means == "key":
            self.walk_to(self.window.get_by_role("radio").first)
            self.window.keyboard.press("Space" if native == "yes" else "ArrowDown")
        else:
            self.use(answer)
        assert answer.is_checked()
        self.go("Continue")

    def begin(self) -> None:
        """Go from consent to the first trial."""
        self.window.wait_for_selector("text=Agree")
        self.go("Agree")
        self.window.wait_for_selector("fieldset")
        self.fill_in()
        self.window.wait_for_selector("text=Instructions")
        self.go("Start")

    def await_trial(self, number: int, of: int = 4) -> None:
        """Wait for the trial with this number, from 1."""
        self.window.wait_for_selector(f"#progress >> text='{number} of {of}'")
        self.window.wait_for_timeout(READY)

    def answer(self, task: str) -> None:
        """Answer the trial that is shown."""
        getattr(self, f"answer_{task}")()

    def pick(self, position: int) -> None:
        """Choose a sentence or an answer by its position, from 0."""
        if self.means == "key":
            self.window.keyboard.press(str(position + 1))
        else:
            self.use(self.window.locator(".option").nth(position))

    def answer_choice(self) -> None:
        self.pick(1)

    def answer_rating(self) -> None:
        if self.means == "key":
            self.window.keyboard.press("ArrowRight")
            self.window.keyboard.press("ArrowRight")
            self.window.keyboard.press("Enter")
        else:
            self.use(self.window.get_by_role("button", name="2 of 7", exact=True))

    def answer_reading(self) -> None:
        words = self.window.locator(".piece").count()
        text = self.window.locator(".window").element_handle()
        for _ in range(words + 1):
            if self.means == "key":
                self.window.keyboard.press("Space")
            else:
                self.use(self.window.locator(".window"))
        text.wait_for_element_state("hidden")  # of this text: the next one may be there already
        if self.window.locator(".option").count():
            self.window.wait_for_timeout(READY)
            self.pick(0)

    def answer_maze(self, *, mistakes: int = 0) -> None:
        for _ in range(8):
            left, _ = self.window.locator(".word").all_inner_texts()
            side = "right" if left in DISTRACTORS else "left"
            for _ in range(mistakes):
                self.choose_word("left" if side == "right" else "right")
            mistakes = 0
            self.choose_word(side)

    def choose_word(self, side: str) -> None:
        if self.means == "key":
            self.window.keyboard.press({"left": "ArrowLeft", "right": "i"}[side])
        else:
            self.use(self.window.locator(f".word.{side}"))

    def between(self, number: int) -> None:
        """Leave the page after the practice, and the break after the second trial."""
        if number == 1:
            self.window.wait_for_selector("text=The practice is over")
            self.go("Start")
        elif number == 3:
            self.window.wait_for_selector("text=Time for a break")
            self.go("Continue")

    def take_part(self, task: str, first: int = 1) -> None:
        """Answer all trials from one on, and what is asked after them."""
        for number in range(first, 5):
            self.await_trial(number)
            self.answer(task)
            self.between(number)
        self.window.wait_for_selector("text=anything you would like")
        self.go("Continue")
        self.window.wait_for_selector("#code")

    @property
    def code(self) -> str:
        return str(self.window.locator("#code").inner_text())
