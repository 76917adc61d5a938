"""What faults look like: each operator is a function that takes a file's code (source.code_of) and its text, and gives the
places where it applies, as (start, end, what stands there instead). The faults are those that people make in such code."""

import re

from source import arguments, closing

OPERATORS = {}


def operator(name, what):
    def keep(function):
        OPERATORS[name] = (function, what)
        return function

    return keep


def _swaps(pattern, others):
    """Each match of the pattern's group 1 becomes what `others` has for it."""
    pattern = re.compile(pattern)

    def find(code, text):
        for m in pattern.finditer(code):
            if m[1] in others:
                yield m.start(1), m.end(1), others[m[1]]

    return find


def _plain(name, what, pattern, others):
    operator(name, what)(_swaps(pattern, others))


# The lesser or greater of two is the same when they are equal.
_LEAST = re.compile(r"(?:if \((?P<a>[\w.>\[\]-]+) [<>]=? (?P<b>[\w.>\[\]-]+)\) (?:(?P=b) = (?P=a)|(?P=a) = (?P=b));"
                    r"|(?P<c>[\w.>\[\]-]+) [<>]=? (?P<d>[\w.>\[\]-]+) \? (?:(?P=c) : (?P=d)|(?P=d) : (?P=c))\b)")


@operator("bound", "a bound is off by one")
def _bound(code, text):
    least = [m.span() for m in _LEAST.finditer(code)]
    for m in re.finditer(r" (<=|>=|<|>) ", code):
        if not any(a <= m.start() < b for a, b in least):
            yield m.start(1), m.end(1), {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[m[1]]


_plain("equal", "equal for different", r" (==|!=) ", {"==": "!=", "!=": "=="})
_plain("logic", "and for or", r" (&&|\|\|) ", {"&&": "||", "||": "&&"})
_plain("truth", "true for false", r"\b(true|false)\b", {"true": "false", "false": "true"})
_plain("extreme", "minimum for maximum", r"\b(min|max|fmin|fmax|atomicMin|atomicMax)\(",
       {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin", "atomicMin": "atomicMax", "atomicMax": "atomicMin"})
_plain("initial", "a wrong initial value", r"\w = (0|1|UINT32_MAX|UINT64_MAX|SIZE_MAX)[;,]",
       {"0": "1", "1": "0", "UINT32_MAX": "0", "UINT64_MAX": "0", "SIZE_MAX": "0"})
_plain("sign", "plus for minus", r"[\w\])] (\+|-) (?!1\b)", {"+": "-", "-": "+"})
_plain("order", "memory order weakened",
       r"\b(ww_store_release|ww_load_acquire|ww_add_acq_rel|__ATOMIC_(?:ACQUIRE|RELEASE|ACQ_REL|SEQ_CST))\b"
       r"(?! *\([^()]*\w+ \*)",
       {"ww_store_release": "ww_store_relaxed", "ww_load_acquire": "ww_load_relaxed", "ww_add_acq_rel": "atomicAdd",
        "__ATOMIC_ACQUIRE": "__ATOMIC_RELAXED", "__ATOMIC_RELEASE": "__ATOMIC_RELAXED",
        "__ATOMIC_ACQ_REL": "__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST": "__ATOMIC_RELAXED"})
_plain("signed", "a cast to the other signedness", r"(?<!sizeof)\((u?int(?:8|16|32)_t)\)",
       {f"{a}int{w}_t": f"{b}int{w}_t" for w in (8, 16, 32) for a, b in (("u", ""), ("", "u"))})
_plain("status", "a wrong status", r"\b(WW_INVALID|WW_RANGE|WW_LIMIT|WW_MEMORY|WW_UNSUPPORTED)\b,",
       {"WW_INVALID": "WW_RANGE", "WW_RANGE": "WW_INVALID", "WW_LIMIT": "WW_INVALID", "WW_MEMORY": "WW_LIMIT",
        "WW_UNSUPPORTED": "WW_INVALID"})
_plain("forgiven", "a failure is not handed on", r"\breturn (status);", {"status": "WW_OK"})


@operator("one", "one too few or too many")
def _one(code, text):
    for m in re.finditer(r" [+-] 1\b(?![.\w])", code):
        yield m.start(), m.end(), ""


@operator("last", "the last round of a loop is left out")
def _last(code, text):
    for m in re.finditer(r"\bfor \([^;()]*(?:\([^()]*\)[^;()]*)*; (\w+)( <) ", code):
        yield m.end(1), m.end(1), " + 1"


@operator("first", "a loop begins at one")
def _first(code, text):
    for m in re.finditer(r"\bfor \(\w+(?: \w+)* = (0);", code):
        yield m.start(1), m.end(1), "1"


@operator("condition", "a condition the other way round")
def _condition(code, text):
    for m in re.finditer(r"\b(?:if|while) (\()", code):
        end = closing(code, m.start(1))
        if end > 0 and code[m.end(1):end].strip() and not code[m.end(1):end].startswith("!("):
            yield m.end(1), end, "!(" + text[m.end(1):end] + ")"


@operator("never", "a case that is never taken, a wait that is skipped")
def _never(code, text):
    for m in re.finditer(r"\b(?:if|while) (\()", code):
        end = closing(code, m.start(1))
        if end > 0 and code[m.end(1):end].strip():
            yield m.end(1), end, "0 && (" + text[m.end(1):end] + ")"


@operator("jump", "a jump out of a loop or a function is left out")
def _jump(code, text):
    for m in re.finditer(r"\b(?:break|continue|return);", code):
        yield m.start(), m.end(), ";"


@operator("check", "an argument is not checked")
def _check(code, text):
    for m in re.finditer(r"\bWW_CHECK(\()", code):
        end = closing(code, m.start(1))
        if end > 0 and code[end + 1:end + 2] == ";":
            yield m.start(), end + 2, ";"


# A statement that fills one line. Declarations have two words before the sign.
_ASSIGNMENT = re.compile(r"^[ \t]*([*(]*[A-Za-z_][\w.\->\[\]()*+ %/&]*? (?:[-+|&^*/]|<<|>>)?= [^;{}]*;)[ \t]*$", re.M)
_DECLARED = re.compile(r"(?:const |static |struct |unsigned )*\w+(?: [*&]*|[*&] ?)(?:const )?\w+(?:\[.*?\])* =")
_CALL = re.compile(r"^[ \t]*((?:\w+(?:->|\.))*([A-Za-z_]\w*)\(.*\);)[ \t]*$", re.M)
_NEITHER = re.compile(r"prefetch|fetch_to_cache|trace|relax|yield|wait_a_moment|launch_next|__sync|sync_team|^meet|atomic|"
                      r"return|WW_[A-Z]|^else|forget")


@operator("assignment", "an assignment is left out")
def _assignment(code, text):
    for m in _ASSIGNMENT.finditer(code):
        if not _DECLARED.match(m[1]) and not m[1].startswith(("return", "for ", "else", "case", "(void)")):
            yield m.start(1), m.end(1), ";"


@operator("call", "a call is left out: something is not cleared, not given back, not done")
def _call(code, text):
    for m in _CALL.finditer(code):
        if not _NEITHER.search(m[1]):
            yield m.start(1), m.end(1), ";"
    for m in re.finditer(r"^[ \t]*WW_TRY(\()", code, re.M):
        end = closing(code, m.start(1))
        if end > 0 and code[end + 1:end + 2] == ";":
            yield m.start(1) - 6, end + 2, ";"


@operator("barrier", "a barrier is left out")
def _barrier(code, text):
    for m in re.finditer(r"\b(?:__syncthreads|__syncwarp|__threadfence|ww_copies_wait|sync_team|meet)\([^()]*\);", code):
        yield m.start(), m.end(), ";"


_DECLARATION = re.compile(r"\s*(?:(?:for|while|if|else|return|const|break|continue)\b|\w+ [*&]*\w+)")


@operator("moved", "a barrier stands one statement too late")
def _moved(code, text):
    for m in re.finditer(r"^([ \t]*)((?:__syncthreads|__syncwarp)\(\w*\);)\n([ \t]*[^\n{}]*;)[ \t]*$", code, re.M):
        follows = text[m.start(3):m.end(3)]
        if m[1] == re.match(r"[ \t]*", follows)[0] and not _DECLARATION.match(follows):
            yield m.start(1), m.end(3), follows + "\n" + m[1] + m[2]


_AS_PLAIN = {"atomicAdd": "*({0}) += {1}", "atomicOr": "*({0}) |= {1}", "atomicExch": "*({0}) = {1}",
             "atomicMax": "if (*({0}) < ({1})) *({0}) = {1}", "atomicMin": "if (*({0}) > ({1})) *({0}) = {1}",
             "ww_atomic_add": "*({0}) += {1}", "ww_atomic_or": "*({0}) |= {1}"}


@operator("atomic", "plain for atomic")
def _atomic(code, text):
    for m in re.finditer(r"(?<=[;{})\n])[ \t]*\b(" + "|".join(_AS_PLAIN) + r")(\()", code):
        parts = arguments(code, m.start(2))
        end = closing(code, m.start(2))
        if len(parts) == 2 and code[end + 1:end + 2] == ";":
            pointer, value = (text[a:b].strip() for a, b in parts)
            yield m.start(1), end + 1, "{ " + _AS_PLAIN[m[1]].format(pointer, value) + "; }"
    for m in re.finditer(r"\b__atomic_(?:fetch_(add|or)|(add)_fetch)(\()", code):
        parts = arguments(code, m.start(3))
        if len(parts) == 3:
            pointer, value = (text[a:b].strip() for a, b in parts[:2])
            sign = "+" if (m[1] or m[2]) == "add" else "|"
            new = f"(*({pointer}) {sign}= {value})"
            yield m.start(), closing(code, m.start(3)) + 1, f"({new} - ({value}))" if m[1] == "add" else new


@operator("least", "the lesser of two is always the first, or the second")
def _least(code, text):
    for m in re.finditer(r"\bww__min_u64(\()", code):
        parts = arguments(code, m.start(1))
        if len(parts) == 2 and not re.match(r"uint64_t ", code[parts[0][0]:]):
            for a, b in parts:
                yield m.start(), closing(code, m.start(1)) + 1, "(uint64_t)(" + text[a:b].strip() + ")"


@operator("alignment", "a size is not rounded up")
def _alignment(code, text):
    """On a GPU's host side: the CPU's pieces begin at lines of the cache for speed alone."""
    for m in re.finditer(r"\bww__round_up(\()", code):
        parts = arguments(code, m.start(1))
        if len(parts) == 2 and not re.match(r"size_t |uint64_t ", code[parts[0][0]:]):
            yield m.start(), closing(code, m.start(1)) + 1, "(" + text[slice(*parts[0])].strip() + ")"


_ORDERED = re.compile(r"(?:\b|->|\.)(?:ww_op|(?:ww_)?join(?:ed)?|less|(?:ww_)?before|goes_first|comes_first|better|extreme)"
                      r"(\()")


@operator("swapped", "the operands of what does not commute change places")
def _swapped(code, text):
    for m in _ORDERED.finditer(code):
        parts = arguments(code, m.start(1))
        if len(parts) != 2:
            continue
        (a, b), (c, d) = parts
        left, right = text[a:b].strip(), text[c:d].strip()
        if left != right and not re.search(r"\w [*&]?\w", left + ";" + right):
            yield a, d, right + ", " + left


@operator("narrow", "32 bits for 64")
def _narrow(code, text):
    for m in re.finditer(r"\b(?:const )?(uint64_t|size_t|int64_t) (?=\w+ = [^0])", code):
        yield m.start(1), m.end(1), "int32_t" if m[1] == "int64_t" else "uint32_t"


@operator("shift", "a shift by one more")
def _shift(code, text):
    for m in re.finditer(r" (?:<<|>>)=? (\d+)\b", code):
        yield m.start(1), m.end(1), str(int(m[1]) + 1)


@operator("row", "the next element of an array or a table")
def _row(code, text):
    for m in re.finditer(r"(?<=[\w\])])\[([a-z_][\w.>-]*)\](?! =)", code):
        start = code.rfind("\n", 0, m.start()) + 1
        before = code[start:m.start()]
        if not re.search(r"\b(?:u?int\d+_t|size_t|char|float|double|item|ww_\w+|struct|bool|sizeof) [*&(]*\w*$", before):
            yield m.end(1), m.end(1), " + 1"
