"""Parts of messages: which line a warning names."""

from pathlib import Path

import pytest

import gardenpath
from gardenpath.errors import InputWarning
from gardenpath.io.messages import advise

PACKAGE = Path(gardenpath.__file__).parent


@pytest.mark.parametrize(("folder", "is_named"), [(PACKAGE, False), (f"{PACKAGE}_lab", True)])
def test_a_warning_names_the_first_line_outside_of_the_package(folder: str | Path, *, is_named: bool) -> None:
    code = compile("advise('careful')", f"{folder}/model.py", "exec")
    with pytest.warns(InputWarning, match="careful") as notes:
        exec(code, {"advise": advise})
    assert [note.filename for note in notes] == [f"{folder}/model.py" if is_named else __file__]
