"""The store: what it remembers, and what it does when it is damaged or full."""

import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.models.protocol import AnyModel, ModelCard
from gardenpath.runs import stored_scoring
from gardenpath.runs.events import RunEvent, RunNote, ScoringAdvanced, ScoringStarted
from gardenpath.runs.run import ModelRun, run_model
from gardenpath.runs.store import Store, default_store, plan_key, text_key
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.load import sample_items
from gardenpath.suites.suite import Suite
from small_models import WordModel

SUITES = find_suites("agreement")


def bits_of(context: tuple[str, ...], word: str) -> float:
    return len(word) + len(context) / 10


def run(model: AnyModel, store: Store, suites: Sequence[Suite] = SUITES) -> ModelRun:
    return run_model(model, suites, store=store)


def interrupt(model: AnyModel, store: Store, *, after: int, events: list[RunEvent] | None = None) -> None:
    """Stop after some steps as an interrupted process does."""
    steps = itertools.count(1)

    def stop(event: RunEvent) -> None:
        if events is not None:
            events.append(event)
        if isinstance(event, ScoringAdvanced) and next(steps) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_model(model, SUITES, store=store, on_event=stop)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store.sqlite")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def write_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.runs.store.Store.seconds_between_writes", -1.0)


def margins(done: ModelRun) -> list[float]:
    return [float(margin) for group in done.outcomes for margin in group.margin]


def test_a_second_run_computes_nothing(store: Store) -> None:
    first = run(WordModel(bits_of), store)
    again = WordModel(bits_of)
    second = run(again, store)
    assert again.scored == 0
    assert (first.computed, second.computed) == (len(first.texts), 0)
    assert margins(first) == margins(second)
    other = run(WordModel(bits_of, fingerprint="other"), store)
    assert other.computed == len(other.texts)


def test_a_model_without_a_fingerprint_is_not_remembered(store: Store) -> None:
    card = ModelCard("words", bos="<s>", end=0)
    assert card.fingerprint != ModelCard("words", bos="<s>").fingerprint
    for _ in range(2):
        done = run(WordModel(bits_of, fingerprint=card.fingerprint), store)
        assert done.computed == len(done.texts)
    assert not store.finished()


def test_an_interrupted_run_goes_on_where_it_stopped(store: Store) -> None:
    model = WordModel(bits_of, bytes_per_state=100 << 20)
    whole = run(WordModel(bits_of, bytes_per_state=100 << 20, fingerprint="whole"), store)
    interrupt(model, store, after=12)
    assert model.scored > 0
    done = run(WordModel(bits_of, bytes_per_state=100 << 20), store)
    assert margins(done) == margins(whole)
    assert done.scores.bits.tolist() == whole.scores.bits.tolist()
    assert done.computed < len(done.texts)


def test_an_interruption_writes_what_was_waiting(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.runs.store.Store.seconds_between_writes", 1000.0)
    interrupt(WordModel(bits_of, bytes_per_state=100 << 20), store, after=12)
    assert store.connection.execute("SELECT count(*) FROM parts").fetchone()[0] > 0
    assert store.finished() == set()


def test_items_are_never_mixed_from_two_scorings(store: Store) -> None:
    (suite,) = SUITES
    run(WordModel(bits_of), store, [sample_items(suite, 5)])
    larger = run(WordModel(lambda context, word: 2 * bits_of(context, word)), store)
    small = {item.id for item in sample_items(suite, 5).items}
    factor = {trial.item: set() for trial, _ in suite.trials()}
    for trial, sentence in suite.trials():
        surprisals = larger.scores[larger.texts.index(sentence.text)]
        words = [sentence.text[token.start : token.end] for token in surprisals.tokens]
        once = sum(bits_of(tuple(words[:place]), word) for place, word in enumerate(words))
        factor[trial.item].add(round(surprisals.total / once, 6))
    assert {item for item, factors in factor.items() if factors == {1.0}} == small
    assert {item for item, factors in factor.items() if factors == {2.0}} == set(factor) - small


def test_what_is_stored_stays_where_runs_share_sentences(store: Store) -> None:
    """A text is changed and changed back: each version is computed once, and its scores stay as they were."""
    pairs = [(f"the dog {verb}", f"the dog {verb}s") for verb in ("bark", "run", "sleep")]
    old = gp.Suite.from_pairs(pairs, name="old")
    new = gp.Suite.from_pairs([*pairs[:2], (pairs[2][0], "the dog sleepz")], name="new")
    # Between scorings, surprisals differ by rounding.
    scorings = [run(WordModel(lambda c, w, by=by: bits_of(c, w) + by), store, [suite])
                for by, suite in ((0.0, old), (0.1, new), (0.2, old), (0.3, new))]  # fmt: skip
    assert [done.computed for done in scorings] == [6, 2, 0, 0]
    first, changed, again, changed_again = (done.scores.bits.tolist() for done in scorings)
    assert again == first
    assert changed_again == changed
    # The sentence that both versions have is taken from the first.
    shared = gp.Suite.from_pairs([(pairs[2][0], "the dog sleeps"), pairs[0]], name="shared")
    assert run(WordModel(bits_of), store, [shared]).scores.bits.tolist() == first[12:] + first[:6]
    both = run(WordModel(bits_of), store, [old, new])  # one text links the two versions of the item
    assert (both.computed, len(both.texts)) == (3, 7)


def test_what_is_stored_is_not_computed_again(store: Store) -> None:
    """A run that is stopped after most of its parts computes the others and nothing else, to the same numbers."""
    events: list[RunEvent] = []
    whole = run(WordModel(bits_of, bytes_per_state=8 << 20, fingerprint="whole"), store)
    interrupt(WordModel(bits_of, bytes_per_state=8 << 20), store, after=27, events=events)
    first, done_before = work_of(events)
    events.clear()
    resumed = run_model(WordModel(bits_of, bytes_per_state=8 << 20), SUITES, store=store, on_event=events.append)
    second, done_now = work_of(events)
    assert 0 < second < 0.3 * first
    assert second == done_now == first - done_before
    (started,) = [event for event in events if isinstance(event, ScoringStarted)]
    assert 0 < resumed.computed == len(resumed.texts) - started.remembered < 0.5 * len(resumed.texts)
    assert resumed.scores.bits.tobytes() == whole.scores.bits.tobytes()


def test_every_number_of_threads_is_recorded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    model = WordModel(bits_of, bytes_per_state=8 << 20)
    monkeypatch.setattr(stored_scoring, "threads_in_use", lambda: 3)
    interrupt(model, store, after=27, events=[])
    monkeypatch.setattr(stored_scoring, "threads_in_use", lambda: 5)
    assert run(model, store).threads == (3, 5)
    monkeypatch.setattr(stored_scoring, "threads_in_use", lambda: 7)
    assert run(model, store).threads == (3, 5)
    assert run_model(model, SUITES).threads == (7,)


def work_of(events: Sequence[RunEvent]) -> tuple[int, int]:
    """The work that a scoring began with, and what was done of it."""
    (started,) = [event for event in events if isinstance(event, ScoringStarted)]
    return started.work, sum(event.work for event in events if isinstance(event, ScoringAdvanced))


def test_a_damaged_default_store_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    path = default_store()
    path.write_bytes(b"this is no database, and longer than a header of one hundred bytes would be" * 3)
    with pytest.warns(InputWarning, match=r"sqlite is damaged .* set aside as surprisals\.sqlite\.damaged-"):
        store = Store(path)
    with closing(store):
        assert store.read([b"x"]) == {}
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_a_file_that_is_no_store_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    text, database, cut = tmp_path / "train.txt", tmp_path / "mine.sqlite", tmp_path / "cut.sqlite"
    text.write_text("The dog barked.\n" * 100, encoding="utf-8")
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE thesis (chapter TEXT)")
        connection.execute("INSERT INTO thesis VALUES ('one')")
    connection.close()
    cut.write_bytes(database.read_bytes()[:1000])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for path in (text, database, cut):
        with pytest.raises(InputError, match=r"is not a store of gardenpath, and is left as it is; name another file"):
            Store(path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_new_or_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "new"):
        Store(tmp_path / name).close()
        Store(tmp_path / name).close()


def test_a_full_disk_does_not_lose_results(store: Store) -> None:
    whole = run(WordModel(bits_of, fingerprint="whole"), store)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    events: list[RunEvent] = []
    done = run_model(WordModel(bits_of, bytes_per_state=8 << 20), SUITES, store=store, on_event=events.append)
    assert margins(done) == margins(whole)
    (note,) = [event.text for event in events if isinstance(event, RunNote)]
    assert "the scores of words are not remembered" in note
    assert "database or disk is full" in note


def test_an_entry_that_was_changed_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = Store(path)
    first = run(WordModel(bits_of), store)
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE surprisals SET bits = zeroblob(length(bits)) WHERE key = (SELECT max(key) FROM surprisals)"
        )
    connection.close()
    with closing(Store(path)) as store, pytest.warns(InputWarning, match="does not match its checksum"):
        second = run(WordModel(bits_of), store)
    assert second.computed == len(second.texts)
    assert margins(first) == margins(second)


def test_a_damaged_page_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = Store(path)
    store.finish(b"plan", {text_key("m", "o", str(n)): (np.arange(50.0), None) for n in range(500)}, threads=[1])
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content) - 4096, 8192):
        content[place : place + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    with pytest.warns(InputWarning, match="set aside"):
        fresh = Store(path)
    with closing(fresh):
        assert fresh.read([text_key("m", "o", "0")]) == {}


@pytest.mark.parametrize("change", ["bits = 'text'", "bits = NULL", "plan = 7", "end_bits = 'x'", "checksum = NULL"])
def test_entries_of_another_type_are_found_out(store: Store, change: str) -> None:
    store.finish(b"plan", {b"first": (np.ones(3), None)}, threads=[1])
    store.connection.execute("PRAGMA writable_schema = ON")
    try:
        store.connection.execute(f"UPDATE surprisals SET {change}")
    except sqlite3.IntegrityError:
        return  # SQLite itself keeps this from the file
    store.connection.commit()
    with pytest.warns(InputWarning, match="set aside"):
        assert store.read([b"first"]) == {}


def test_a_store_without_its_tables(store: Store) -> None:
    store.connection.execute("DROP TABLE finished")
    with pytest.warns(InputWarning, match="set aside"):
        assert store.finished() == set()


def test_a_full_disk_ends_in_a_message_and_keeps_what_was_written(store: Store) -> None:
    store.finish(b"plan", {b"first": (np.ones(3), None)}, threads=[1])
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    many = {str(n).encode(): (np.ones(400), None) for n in range(100)}
    with pytest.raises(InputError, match=r"cannot be written \(database or disk is full\): free some space"):
        store.finish(b"plan", many, threads=[1])
    assert set(store.read([b"first", b"1"])) == {b"first"}


def test_a_store_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        Store(tmp_path)  # a folder


def test_keys_tell_apart_what_bears_on_scores() -> None:
    parts = [("m", "o", "a b"), ("m2", "o", "a b"), ("m", "o2", "a b"), ("m", "o", "a c")]
    assert len({text_key(*part) for part in parts}) == 4
    assert plan_key([b"a", b"b"], "1") != plan_key([b"b", b"a"], "1")


def test_missing_bits_of_ends_are_remembered_as_missing(store: Store) -> None:
    store.finish(b"plan", {b"first": (np.full(3, np.nan), float("nan")), b"second": (np.ones(2), 4.0)}, threads=[1])
    found = store.read([b"first", b"second"])
    assert found[b"first"][0].end_bits is None
    assert found[b"second"][0].end_bits == 4.0


def test_a_locked_store_is_not_set_aside(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.finish(b"plan", {b"first": (np.ones(3), None)}, threads=[1])
    store.connection.execute("PRAGMA busy_timeout = 1")
    store.connection.execute("PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="cannot be read: database is locked; try again"):
            store.read([b"first"])
    assert set(store.read([b"first"])) == {b"first"}
