"""Branch and bound where some buffers are pinned, or alignments differ.

A pinned buffer is a wall in each of its columns by itself: floors that reach it jump over it, and what is to be placed
must end below its bottom or begin above its top. A buffer on a floor that is no multiple of its alignment begins a
little higher and wastes the bytes between. Pressed down, each buffer lies at 0, on another one, or on a wall, rounded
up to its alignment; so there still is one to place on the floor of some valley, or the floor can be raised.
"""

from __future__ import annotations

from ..effort import Techniques
from .branch import FAR, Attempt, Choice, Failures, Frame, Option, Rule
from .table import Table, members


class UnevenAttempt(Attempt):
    """An attempt that knows walls and alignments; it always chooses by who covers a column."""

    def __init__(
        self, table: Table, capacity: int, rule: Rule, failures: Failures | None, techniques: Techniques
    ) -> None:
        super().__init__(table, capacity, rule, failures, techniques)
        self.floors = [self._clear(column, 0) for column in range(table.columns)]

    def _clear(self, column: int, level: int) -> int:
        """The lowest floor from `level` on with no wall on it or around it."""
        for bottom, top in self.table.walls[column]:
            if bottom <= level < top:
                level = top
        return level

    def _waste(self, column: int, level: int) -> int:
        """Units lost where a column's floor is raised to `level`: what lies between and is no wall."""
        floor, level = self.floors[column], self._clear(column, level)
        return level - floor - sum(top - bottom for bottom, top in self.table.walls[column] if floor <= bottom < level)

    def _raise(self, column: int, level: int) -> None:
        self.slack[column] -= self._waste(column, level)
        self.floors[column] = self._clear(column, level)

    def _ceiling(self, column: int) -> tuple[int, int]:
        """Bottom and top of the next wall over a column's floor; far away where there is none."""
        for wall in self.table.walls[column]:
            if wall[0] >= self.floors[column]:
                return wall
        return FAR, FAR

    def _fill(self, left: int, right: int, level: int) -> int | None:
        short = max(self._waste(column, level) - self.slack[column] for column in range(left, right))
        if short > 0:
            return short
        for column in range(left, right):
            self._raise(column, level)
        return None

    def _cover(self, left: int, right: int, floor: int, before: int, after: int, inside: int) -> Choice | int | None:
        table, slack = self.table, self.slack
        walls = [self._ceiling(column) for column in range(left, right)]
        reach = min(before, after, min(top for _, top in walls))
        starts = self._starts(inside, left, floor, walls)
        covering: list[list[int]] = [[] for _ in walls]
        for k in starts:
            for column in range(table.begins[k] - left, table.ends[k] - left):
                covering[column].append(k)
        tops = {k: start + table.sizes[k] for k, start in starts.items()}
        lowest = min(reach, *tops.values()) if tops else reach
        best, best_count = left, FAR
        raised = False
        for column, over in enumerate(covering, left):
            short = self._waste(column, lowest) - slack[column]
            if not over:
                if short > 0:
                    return short
                self._raise(column, lowest)
                raised = True
            elif len(over) + (short <= 0) < best_count:
                best, best_count = column, len(over) + (short <= 0)
        if raised:
            return None
        over = covering[best - left]
        options: list[Option] = [(table.begins[k], table.ends[k], starts[k], k) for k in over]
        options.sort(key=self._rank_of)
        level = min([reach, *(top for k, top in tops.items() if k not in over)])
        short = FAR
        if level < FAR:
            short = self._waste(best, level) - slack[best]
            if short <= 0:
                options.append((best, best + 1, level, -1))
                short = FAR
        return Choice(len(options), floor, left, right, min(before, after), inside, options=tuple(options), short=short)

    def _starts(self, inside: int, left: int, floor: int, walls: list[tuple[int, int]]) -> dict[int, int]:
        """Where the buffers that can lie on the floor of a valley would begin."""
        table = self.table
        starts = {}
        for k in members(inside):
            align = table.aligns[k]
            start = -(-floor // align) * align
            columns = range(table.begins[k], table.ends[k])
            if any(walls[column - left][0] < start + table.sizes[k] for column in columns):
                continue
            short = start - floor - min(self.slack[table.begins[k] : table.ends[k]])
            if short > 0:
                self.slip = min(self.slip, short)
            else:
                starts[k] = start
        return starts

    def _take(self, frame: Frame) -> list[tuple[int, int, int]]:
        floors, slack, table = self.floors, self.slack, self.table
        floors[frame.left : frame.right], slack[frame.left : frame.right] = frame.base
        first, last, level, k = frame.options.pop()
        for column in range(first, last):
            self._raise(column, level)
        if k < 0:
            return [(frame.unplaced, frame.left, frame.right)]
        begin, end = table.begins[k], table.ends[k]
        self.offsets[k] = level
        for column in range(begin, end):
            floors[column] = self._clear(column, level + table.sizes[k])
        left = frame.unplaced ^ (1 << k)
        if not self.split:
            return [(left, frame.left, frame.right)] if left else []
        return table.parts(left, frame.left, frame.right, begin, end)[::-1]

    def _last(self, k: int, left: int, right: int) -> int:
        table = self.table
        begin, end, size, align = table.begins[k], table.ends[k], table.sizes[k], table.aligns[k]
        walls = sorted(wall for column in range(begin, end) for wall in table.walls[column])
        offset = -(-max(self.floors[begin:end]) // align) * align
        for bottom, top in walls:
            if bottom < offset + size and offset < top:
                offset = -(-top // align) * align
        self.offsets[k] = offset
        return max(0, offset + size - self.capacity)
