"""Branch and bound over a skyline: can the buffers be placed within a capacity?

Buffers are placed from the bottom up. The floor of a column is the height below which nothing more is placed. A plan
can be pressed down until each buffer lies at 0 or on another one, so there is always a buffer to place exactly on the
floor of some valley (a run of equal floors between higher ones), or the floor there can be raised. Raising wastes what
lies between, and a column can afford to waste its slack only: capacity less floor less what still has to go into it.

Choosing: of all valleys, the column whose floor the fewest buffers can cover; or, by the other rule, the buffer that
lies leftmost (rightmost) on the floor of a valley. Branches exclude each other either way, so no plan is tried twice in
another order. Where no buffer left reaches across a border, both sides are solved apart. What failed with some floors
fails with any that are nowhere lower: failures are remembered by the set of buffers left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, compress
from operator import le, ne

from ..effort import Techniques
from .table import Table, members

FAR = 1 << 60
REMEMBERED = 12
"""Failed floors kept for each set of buffers."""

TOLD = 5_000
"""Steps after which a long attempt tells how far it is."""

Failures = dict[int, list[tuple[list[int], int]]]
"""Set of buffers left → floors with which it failed, and the capacity below which it does."""


class OutOfSteps(Exception):
    """The steps of this attempt are used up."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How an attempt chooses: values in `rank` order (low first), `edge` for leftmost/rightmost instead of covering a
    column, `low` for the lowest valley instead of the fewest options."""

    rank: list[int]
    edge: bool = False
    low: bool = False


Option = tuple[int, int, int, int]
"""Raise columns `first` … `last`, exclusive, to `level`, then place buffer `k` on the floor there (−1: none)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A place to go on at: `count` ways, `short` units missing for the ways that were ruled out.

    Of the valley `left` … `right` on `floor`, by the edge rule with its `options`, else by who covers `column`.
    """

    count: int
    floor: int
    left: int
    right: int
    wall: int
    inside: int
    column: int = -1
    options: tuple[Option, ...] = ()
    short: int = FAR


@dataclass(slots=True)
class Frame:
    """A choice on the way down: what is left to place in columns `left` … `right`, and what to try there.

    `entry` and `base`: floors and slacks before and after what was forced. `options`: last one first. `short`: fewest
    units missing so far. `open`: whether there was more than one way. `waiting`: parts still to be solved.
    """

    unplaced: int
    left: int
    right: int
    entry: tuple[list[int], list[int]]
    base: tuple[list[int], list[int]]
    options: list[Option]
    short: int
    open: bool
    waiting: list[tuple[int, int, int]]


class Attempt:
    """One search for a plan within `capacity` units; `offsets` by the table's numbers where it succeeds."""

    def __init__(
        self, table: Table, capacity: int, rule: Rule, failures: Failures | None, techniques: Techniques
    ) -> None:
        self.table = table
        self.capacity = capacity
        self.rank = rule.rank
        self.low = rule.low
        self.look = self._edge if rule.edge else self._cover
        self.failures = failures
        self.split = techniques.split
        self.twins = techniques.twins
        self.steps = 0
        self.limit = 0
        self.pause = 0  # the step to stop at next, to tell or to give up
        self.tell: Callable[[int], None] | None = None
        self.slip = FAR  # fewest units missing for what was ruled out while settling
        self.floors = [0] * table.columns
        self.slack = [capacity - height for height in table.grid.heights]
        self.offsets = [0] * len(table.sizes)

    def run(self, limit: int) -> int:
        """0 where a plan was found, else how many units are missing at least, all branches considered.

        Raises OutOfSteps after `limit` steps. `tell`, where it is set, hears of steps now and then.
        """
        missing = -min(self.slack, default=0)
        if missing > 0:
            return missing
        self.limit = limit
        self.pause = min(limit, TOLD)
        table = self.table
        for part in table.parts(table.all, 0, table.columns, 0, table.columns):
            missing = self._solve(*part)
            if missing:
                return missing
        return 0

    def _solve(self, unplaced: int, left: int, right: int) -> int:
        """Depth first with a stack of its own, so that no recursion limit is met."""
        stack: list[Frame] = []
        short = self._enter(stack, unplaced, left, right)
        while stack:
            frame = stack[-1]
            if not short and frame.waiting:
                short = self._enter(stack, *frame.waiting.pop())
            elif not short:
                stack.pop()
            elif frame.options:
                frame.short = min(frame.short, short)
                frame.waiting = self._take(frame)
                short = self._enter(stack, *frame.waiting.pop()) if frame.waiting else 0
            else:
                short = self._give_up(frame, min(frame.short, short))
                stack.pop()
        return short

    def _enter(self, stack: list[Frame], unplaced: int, left: int, right: int) -> int:
        """Go on with a part: 0 where it is solved, the units missing where it cannot be; else FAR and a new frame."""
        self.steps += 1
        if self.steps > self.pause:
            self._pause()
        if not unplaced & (unplaced - 1):
            return self._last(unplaced.bit_length() - 1, left, right)
        entry = self.floors[left:right], self.slack[left:right]
        self.slip = FAR
        choice = self._settle(unplaced, left, right)
        if isinstance(choice, int):
            self.floors[left:right], self.slack[left:right] = entry
            return min(choice, self.slip)
        base = self.floors[left:right], self.slack[left:right]
        several = choice.count > 1
        if several and self.failures is not None:
            for floors, needed in self.failures.get(unplaced, ()):
                if needed > self.capacity and all(map(le, floors, base[0])):
                    self.floors[left:right], self.slack[left:right] = entry
                    return needed - self.capacity
        options, short = self._options(choice)
        options.reverse()
        stack.append(Frame(unplaced, left, right, entry, base, options, min(short, self.slip), several, []))
        return FAR

    def _pause(self) -> None:
        if self.steps > self.limit:
            raise OutOfSteps
        self.pause = min(self.limit, self.pause + TOLD)
        if self.tell is not None:
            self.tell(self.steps)

    def _give_up(self, frame: Frame, short: int) -> int:
        if frame.open and self.failures is not None:
            floors, needed = frame.base[0], self.capacity + short
            known = self.failures.setdefault(frame.unplaced, [])
            known[:] = [old for old in known if old[1] > needed or not all(map(le, floors, old[0]))]
            if len(known) < REMEMBERED:
                known.append((floors, needed))
        self.floors[frame.left : frame.right], self.slack[frame.left : frame.right] = frame.entry
        return short

    def _take(self, frame: Frame) -> list[tuple[int, int, int]]:
        """Try the next option of a frame; what is left to solve then, the smallest part last."""
        floors, slack = self.floors, self.slack
        floors[frame.left : frame.right], slack[frame.left : frame.right] = frame.base
        first, last, level, k = frame.options.pop()
        for column in range(first, last):
            slack[column] -= level - floors[column]
            floors[column] = level
        if k < 0:
            return [(frame.unplaced, frame.left, frame.right)]
        begin, end = self.table.begins[k], self.table.ends[k]
        self.offsets[k] = floors[begin]
        floors[begin:end] = [floors[begin] + self.table.sizes[k]] * (end - begin)
        left = frame.unplaced ^ (1 << k)
        if not self.split:
            return [(left, frame.left, frame.right)] if left else []
        return self.table.parts(left, frame.left, frame.right, begin, end)[::-1]

    def _last(self, k: int, left: int, right: int) -> int:
        """Place the only buffer of a part on the highest floor."""
        begin, end = self.table.begins[k], self.table.ends[k]
        offset = self.offsets[k] = max(self.floors[begin:end])
        return max(0, offset + self.table.sizes[k] - self.capacity)

    def _settle(self, unplaced: int, left: int, right: int) -> Choice | int:
        """Raise floors as far as there is no choice, then choose; an int: so many units are missing."""
        floors, since, until = self.floors, self.table.since, self.table.until
        while True:
            best: Choice | None = None
            key = (FAR, FAR)
            raised = False
            runs = compress(range(left + 1, right), map(ne, floors[left : right - 1], floors[left + 1 : right]))
            start, floor, before = left, floors[left], FAR
            for column in (*runs, right):
                after = floors[column] if column < right else FAR
                if before > floor < after:
                    inside = unplaced & since[start] & until[column]
                    if inside:
                        found = self.look(start, column, floor, before, after, inside)
                    else:
                        found = self._fill(start, column, min(before, after))
                    if found is None:
                        raised = True
                        break
                    if isinstance(found, int):
                        return found
                    if found.count == 1:
                        return found
                    mine = (floor, found.count) if self.low else (found.count, floor)
                    if mine < key:
                        best, key = found, mine
                start, before, floor = column, floor, after
            if not raised:
                assert best is not None
                return best

    def _fill(self, left: int, right: int, level: int) -> int | None:
        """Raise a valley that nothing fits into; an int: so many units are missing."""
        rise = level - self.floors[left]
        short = rise - min(self.slack[left:right])
        if short > 0:
            return short
        for column in range(left, right):
            self.slack[column] -= rise
        self.floors[left:right] = [level] * (right - left)
        return None

    def _cover(self, left: int, right: int, floor: int, before: int, after: int, inside: int) -> Choice | int | None:
        """The column of a valley that the fewest buffers can cover; None where columns that none covers were raised."""
        slack = self.slack
        cover = self.table.cover(inside, left, right)
        wall = min(before, after)
        rise = min(cover.least, wall - floor)
        if cover.bare:
            for column in cover.bare:
                if slack[column] < rise:
                    return rise - slack[column]
                slack[column] -= rise
                self.floors[column] += rise
            return None
        for column in cover.fewest:
            if slack[column] < rise:
                return Choice(cover.count, floor, left, right, wall, inside, column)
        return Choice(cover.count + 1, floor, left, right, wall, inside, cover.fewest[0])

    def _edge(self, left: int, right: int, floor: int, before: int, after: int, inside: int) -> Choice | int | None:
        """Which buffer lies leftmost or rightmost on the floor of a valley, whichever side has fewer to offer."""
        table, slack = self.table, self.slack[left:right]
        lefts = list(accumulate(slack, min))
        rights = list(accumulate(reversed(slack), min))
        from_left: list[Option] = []
        from_right: list[Option] = []
        short_left = short_right = FAR
        for k in members(inside):
            begin, end, top = table.begins[k], table.ends[k], floor + table.sizes[k]
            level = min(before, top)
            short = level - floor - lefts[begin - left - 1] if begin > left else 0
            if short <= 0:
                from_left.append((left, begin, level, k))
            else:
                short_left = min(short_left, short)
            level = min(after, top)
            short = level - floor - rights[right - end - 1] if end < right else 0
            if short <= 0:
                from_right.append((end, right, level, k))
            else:
                short_right = min(short_right, short)
        options, short = (from_left, short_left) if len(from_left) <= len(from_right) else (from_right, short_right)
        options.sort(key=self._rank_of)
        wall = min(before, after)
        missing = wall - floor - lefts[-1]
        if missing <= 0:
            options.append((left, right, wall, -1))
        elif wall < FAR:
            short = min(short, missing)
        if not options:
            return short
        return Choice(len(options), floor, left, right, wall, inside, options=tuple(options), short=short)

    def _rank_of(self, option: Option) -> int:
        return self.rank[option[3]]

    def _options(self, choice: Choice) -> tuple[list[Option], int]:
        """What to try, in order, and the units missing for what is ruled out."""
        table = self.table
        if choice.options:
            candidates, short = list(choice.options), choice.short
            none: list[Option] = []
        else:
            over = choice.inside & table.over[choice.column]
            order = sorted(members(over), key=self.rank.__getitem__)
            candidates = [(0, 0, 0, k) for k in order]
            none, short = self._above(choice, choice.inside & ~over)
        seen, options = set(), []
        for option in candidates:
            k = option[3]
            twin = (table.begins[k], table.ends[k], table.sizes[k], table.aligns[k]) if k >= 0 else None
            if twin not in seen or not self.twins:
                seen.add(twin)
                options.append(option)
        return options + none, short

    def _above(self, choice: Choice, rest: int) -> tuple[list[Option], int]:
        """Nothing covers the column on its floor: then whatever does lies on one of the rest, or over the wall."""
        rise = choice.wall - choice.floor
        if rest:
            rise = min(rise, self.table.least(rest))
        if rise >= FAR >> 1:
            return [], FAR
        short = rise - self.slack[choice.column]
        if short > 0:
            return [], short
        return [(choice.column, choice.column + 1, choice.floor + rise, -1)], FAR
