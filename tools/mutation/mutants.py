"""The faults: a module with one site changed, such as `<` to `<=`.

Left alone is what runs no rule: annotations, docstrings and decorators, and strings, which are names of things here.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one fault. `number` counts the module's faults from 0; `source` is the line that it begins on."""

    file: Path
    module: str
    number: int
    line: int
    source: str
    was: str
    becomes: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.source}    [{self.was}  ->  {self.becomes}]"


def mutants(root: Path, file: Path) -> list[Mutant]:
    """All faults that can be put into a module. `file` is its path below `root`."""
    source = (root / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    return [
        Mutant(
            file,
            module,
            number,
            site.line,
            lines[site.line - 1].strip(),
            _one_line(site.was),
            _one_line(site.becomes),
        )
        for number, site in enumerate(_sites(ast.parse(source)))
    ]


def faulty(root: Path, mutant: Mutant) -> ast.Module:
    """The module with the fault in it."""
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    site = next(site for number, site in enumerate(_sites(tree)) if number == mutant.number)
    site.put(site.becomes)
    return ast.fix_missing_locations(tree)


# ---------------------------------------------------------------------------------------------- the places


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a fault can be: a field of a node (and an index, in a list), what is there, and what comes instead."""

    parent: ast.AST
    field: str
    index: int | None
    was: ast.AST
    becomes: ast.AST

    @property
    def line(self) -> int:
        return int(getattr(self.was, "lineno", 0))

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


SKIPPED: Final = {"annotation", "returns", "decorator_list", "type_params", "bases"}
"""Fields of nodes that run no rule."""


def _sites(tree: ast.AST) -> Iterator[_Site]:
    """Every fault that can be put into a tree, in the order of its source."""
    for field, value in ast.iter_fields(tree):
        if field in SKIPPED:
            continue
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes):
            if not isinstance(node, ast.AST) or _runs_no_rule(node):
                continue
            at = index if isinstance(value, list) else None
            for becomes in _faults(node, tree, field):
                yield _Site(tree, field, at, node, ast.copy_location(becomes, node))
            yield from _sites(node)


def _runs_no_rule(node: ast.AST) -> bool:
    """Whether it is a docstring, an import, a list of exports or an alias of a type."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case _:
            return False


def _faults(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """The nodes that can replace a node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            yield _with(node, ops=[COMPARISONS[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield copy.deepcopy(operand)
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            yield _with(node, op=OPERATORS[type(operator)]())
        case ast.Constant(value=bool(value)):
            yield ast.Constant(value=not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value=value + 1)
        case ast.Name(id=name) if name in FUNCTIONS and isinstance(parent, ast.Call) and field == "func":
            yield ast.Name(id=FUNCTIONS[name], ctx=ast.Load())
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case _:
            pass
    # A condition that is no comparison has its opposite here; a comparison has it above, as far as it has one.
    if field == "test" and isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.BoolOp):
        yield ast.UnaryOp(op=ast.Not(), operand=copy.deepcopy(node))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with other fields."""
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _one_line(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
