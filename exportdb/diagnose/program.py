"""A user's module with changes made, as a program that can be examined.

Owns the way from an origin and a list of changes to a definition. What a change does to
``dynamic_shapes`` is left to ``shapes``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb.cases.case import FrontMatter
from exportdb.diagnose.change import OF_EXAMPLE, OF_SOURCE, Change, edited
from exportdb.diagnose.origin import Origin, UserModel
from exportdb.records.record import digest
from exportdb.suites.protocol import Definition

if TYPE_CHECKING:
    from exportdb.diagnose.fitting import Fitted
    from exportdb.diagnose.shapes import RequestedShapes

SUITE = "diagnose"


@dataclass(frozen=True)
class ChangedProgram:
    """What ``origin`` makes, changed. ``source`` is the text of its file before any change."""

    origin: Origin
    source: str
    changes: tuple[Change, ...] = ()
    timeout: float | None = None
    replaced: bool = False  # ``source`` is not what the file holds
    selector: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        """``diagnose``."""
        return SUITE

    @property
    def id(self) -> str:
        """What the user calls it."""
        return self.origin.shown

    @property
    def digest(self) -> str:
        """Of the text and the changes."""
        return digest("\n".join([self.source, *(repr(c.key) for c in self.changes)]))

    @property
    def meta(self) -> FrontMatter:
        """What is known without running anything: next to nothing."""
        return FrontMatter(self.id, "", timeout=self.timeout)

    @property
    def where(self) -> str:
        """The file."""
        return str(self.origin.path)

    @property
    def path(self) -> None:
        """None: no command makes it again."""

    @property
    def text(self) -> str:
        """The file's text with the changes of it made."""
        return edited(self.source, [c for c in self.changes if not c.file])

    @property
    def others(self) -> dict[str, str]:
        """The texts of other files of the user's that are changed, by path."""
        changed = {c.file for c in self.changes if c.kind in OF_SOURCE and c.file}
        return {
            path: edited(Path(path).read_text(), [c for c in self.changes if c.file == path])
            for path in sorted(changed)
        }

    def load(self) -> Definition:
        """Make the module, change it. Raises OriginError, and whatever the user's code raises."""
        from exportdb.suites.copying import copied

        subject = self.subject()
        return Definition(
            models={"Model": lambda: copied(subject.made.module)},
            inputs=subject.inputs,
            sizes=subject.sizes,
            dynamic_shapes=subject.dynamic_shapes,
            # What was promised to torch, eager itself refuses now: it has to be refused.
            guessed=any(
                c.excludes or "torch._check" in c.data["text"]
                for c in self.changes
                if c.kind in OF_SOURCE
            ),
        )

    def subject(self) -> ChangedModule:
        """The module after all changes, with what is asked of its sizes."""
        from exportdb.diagnose import shapes
        from exportdb.diagnose.fitting import fitted

        touched = self.replaced or any(c.kind in OF_SOURCE for c in self.changes)
        made = self.origin.make(self.text if touched else self.source, self.others)
        fits = fitted(made.specs, made.inputs())
        asked = declared = shapes.read(fits.specs, made.inputs())
        for change in self.changes:
            if change.kind == "example":
                size = int(change.data["size"])
                example = (made.args, dict(made.kwargs))
                args, kwargs = shapes.resized(example, asked, change.data["dim"], size)
                made = replace(made, args=args, kwargs=kwargs)
            elif change.kind == "unshare":
                args, kwargs = shapes.unshared((made.args, dict(made.kwargs)))
                made = replace(made, args=args, kwargs=kwargs)
            elif change.kind == "warm":
                called_once(_sized(made, asked, dict(change.data.get("sizes", ()))))
            elif change.kind not in OF_SOURCE:
                asked = shapes.changed(asked, change)
        reshaped = any(c.kind not in (*OF_SOURCE, *OF_EXAMPLE) for c in self.changes)
        return ChangedModule(made, asked, reshaped, declared, fits)


def _sized(made: UserModel, asked: RequestedShapes, sizes: Mapping[str, int]) -> UserModel:
    """The module with an example in which dims have other sizes."""
    from exportdb.diagnose import shapes

    if not sizes:
        return made
    example = (made.args, dict(made.kwargs))
    every = {name: int(size) for name, size in shapes.sizes(asked, example).items()}
    args, kwargs = shapes.sampled(asked, example, every | dict(sizes))
    return replace(made, args=args, kwargs=kwargs)


def called_once(made: UserModel) -> None:
    """Call the module as a user does before a capture, so that it has what it keeps."""
    import torch

    args, kwargs = copy.deepcopy((made.args, dict(made.kwargs)))
    with torch.no_grad():
        made.module(*args, **kwargs)


@dataclass(frozen=True)
class ChangedModule:
    """A module that was made, and what is asked of its sizes after all changes.

    ``declared`` is what the user asked of them, as ``fits`` reads it.
    """

    made: UserModel
    asked: RequestedShapes
    reshaped: bool  # dynamic_shapes is not as the user wrote it
    declared: RequestedShapes
    fits: Fitted

    @property
    def dynamic_shapes(self) -> Any:
        """In the form that ``torch.export.export`` takes."""
        from exportdb.diagnose import shapes

        return shapes.built(self.asked, self.made.inputs()) if self.reshaped else self.made.specs

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that the dims have in the user's example."""
        from exportdb.diagnose import shapes

        example = (self.made.args, dict(self.made.kwargs))
        return {name: int(size) for name, size in shapes.sizes(self.asked, example).items()}

    def inputs(self, **wanted: int) -> Any:
        """The user's example, or inputs like it in which dims have other sizes."""
        from exportdb.diagnose import shapes

        example = (self.made.args, dict(self.made.kwargs))
        if not wanted:
            return copy.deepcopy(example)
        made = shapes.sampled(self.asked, example, self.sizes | wanted)
        limit = shapes.index_limit(self.asked, example, wanted)
        if limit and self._out_of_range(made):  # they number what there are fewer of now
            made = shapes.sampled(self.asked, example, self.sizes | wanted, below=limit)
        return made

    def _out_of_range(self, inputs: Any) -> bool:
        """Whether eager raises IndexError."""
        from exportdb.suites.copying import copied

        args, kwargs = copy.deepcopy(inputs)
        try:
            copied(self.made.module)(*args, **kwargs)
        except (IndexError, RuntimeError) as e:
            return isinstance(e, IndexError) or "out of" in str(e)
        except Exception:
            pass
        return False
