"""C and CUDA C text as far as planting a fault needs it: what is code, and where a statement or an argument ends."""

import re

_PARTS = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*', re.S | re.M
)
_ENUM = re.compile(r"\benum\b[^;{]*\{[^}]*\}")
_ASSERT = re.compile(r"\b(?:_Static_assert|static_assert|assert)\b[^;]*;")


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def _of_directive(text):
    """A macro of several lines holds code: its first line is left out, the others stay. Other directives go."""
    if not re.match(r"\s*#\s*define\b", text) or "\\\n" not in text:
        return _blank(text)
    first, rest = text.split("\n", 1)
    return _blank(first) + "\n" + code_of(rest.replace("\\\n", " \n"))


def code_of(text):
    """The text with everything blank that is no code to plant faults in: comments, strings, directives, constants and
    assertions. As long as the text, line by line, so that places are the same in both."""
    code = _PARTS.sub(lambda m: _of_directive(m[0]) if m[0].lstrip().startswith("#") else _blank(m[0]), text)
    code = _ENUM.sub(lambda m: _blank(m[0]), code)
    return _ASSERT.sub(lambda m: _blank(m[0]), code)


def closing(code, opening):
    """The place of the parenthesis that closes the one at `opening`; -1 where there is none."""
    depth = 0
    for at in range(opening, len(code)):
        if code[at] == "(":
            depth += 1
        elif code[at] == ")":
            depth -= 1
            if depth == 0:
                return at
    return -1


def arguments(code, opening):
    """The (start, end) of each argument of the call whose parenthesis opens at `opening`."""
    end, depth, start, found = closing(code, opening), 0, opening + 1, []
    if end < 0:
        return []
    for at in range(opening + 1, end):
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
        elif code[at] == "," and depth == 0:
            found.append((start, at))
            start = at + 1
    found.append((start, end))
    return found


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def line_bounds(text, at):
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return start, len(text) if end < 0 else end
