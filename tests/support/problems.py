"""Planning problems for tests: random ones of many kinds, perfect packings, and a brute force to compare with."""

from __future__ import annotations

from random import Random

from arena_codegen.planning.problem import Buffer, Interval, Problem

Shares = dict[tuple[int, int], tuple[Interval, ...]]


def scattered(seed: int, most: int = 30, steps: int = 20, size: int = 40) -> Problem:
    """Up to `most` buffers with any lifetime and any size; some empty, some before the first step."""
    random = Random(seed)
    buffers = []
    for _ in range(random.randrange(most + 1)):
        first = random.randrange(-1, steps)
        last = min(steps, first + random.choice((0, 1, 1, 2, 5, steps)))
        buffers.append(Buffer(random.choice((0, 1, size, *range(1, size))), first, last))
    return Problem(tuple(buffers))


def chain(seed: int, operators: int = 30) -> Problem:
    """Like a network: each buffer dies a step after it is born, some much later, with scratch; alignment 16."""
    random = Random(seed)
    buffers = []
    for step in range(operators):
        last = step + random.choice((1, 1, 1, 1, 3, operators // 2))
        buffers.append(Buffer(16 * random.randrange(1, 200), step, min(last, operators), 16))
        if random.random() < 0.3:
            buffers.append(Buffer(16 * random.randrange(1, 20), step, step, 16))
    return Problem(tuple(buffers), alignment=16)


def tight(seed: int, count: int = 5, steps: int = 6, size: int = 4) -> Problem:
    """Random lifetimes and a filler a step, so that each step is exactly full: the optimum may lie above it."""
    random = Random(seed)
    buffers = []
    for _ in range(count):
        first = random.randrange(steps - 1)
        buffers.append(Buffer(random.randint(1, size), first, min(steps - 1, first + random.randint(1, 4))))
    live = [sum(b.size for b in buffers if b.first <= step <= b.last) for step in range(steps)]
    for step, height in enumerate(live):
        if height < max(live):
            buffers.append(Buffer(max(live) - height, step, step))
    return Problem(tuple(buffers))


def dissection(count: int, seed: int, steps: int = 1000, height: int = 1024) -> Problem:
    """A rectangle cut at random, pinwheels included: a perfect packing, so the optimum is `height`."""
    random = Random(seed)
    parts = [(0, steps, 0, height)]
    while len(parts) < count:
        chosen = sorted(random.sample(range(len(parts)), min(len(parts), 4)))
        k = max(chosen, key=lambda k: (parts[k][1] - parts[k][0]) * (parts[k][3] - parts[k][2]))
        left, right, low, high = parts[k]
        if right - left >= 6 and high - low >= 6 and random.random() < 0.35:
            x1, y1 = random.randint(left + 2, right - 4), random.randint(low + 2, high - 4)
            x2, y2 = random.randint(x1 + 2, right - 2), random.randint(y1 + 2, high - 2)
            parts[k : k + 1] = [
                (left, x2, low, y1),
                (x2, right, low, y2),
                (x1, right, y2, high),
                (left, x1, y1, high),
                (x1, x2, y1, y2),
            ]
        elif right - left >= 4 and (random.random() < 0.5 or high - low < 4):
            x = random.randint(left + 2, right - 2)
            parts[k : k + 1] = [(left, x, low, high), (x, right, low, high)]
        elif high - low >= 4:
            y = random.randint(low + 2, high - 2)
            parts[k : k + 1] = [(left, right, low, y), (left, right, y, high)]
    random.shuffle(parts)
    return Problem(tuple(Buffer(high - low, left, right - 1) for left, right, low, high in parts))


def uneven(seed: int, most: int = 6) -> Problem:
    """A few buffers of mixed alignment, some of them pinned where they do not collide; the peak is rounded too."""
    random = Random(seed)
    buffers: list[Buffer] = []
    for _ in range(random.randint(1, most)):
        first = random.randrange(4)
        alignment = random.choice((1, 1, 2, 4))
        buffer = Buffer(random.randint(0, 5), first, first + random.randrange(3), alignment)
        if random.random() < 0.3:
            pinned = Buffer(
                buffer.size, buffer.first, buffer.last, alignment, alignment * random.randrange(6 // alignment)
            )
            taken = [b for b in buffers if b.offset is not None and b.meets(pinned)]
            if all(pinned.offset >= b.offset + b.size or b.offset >= pinned.offset + pinned.size for b in taken):
                buffer = pinned
        buffers.append(buffer)
    return Problem(tuple(buffers), alignment=random.choice((1, 1, 4)))


def sharing(seed: int, operators: int = 4, size: int = 5, alignment: int = 1) -> Problem:
    """A network whose operators' outputs may take over, or trail, inputs that die there; residual inputs included."""
    random = Random(seed)
    spans: list[list[int]] = [[random.randint(1, size), 0, 0]]
    reads: list[list[int]] = []
    for step in range(1, operators + 1):
        inputs = [step - 1]
        if step > 1 and random.random() < 0.4:
            inputs.append(random.randrange(step - 1))
        for k in inputs:
            spans[k][2] = step
        reads.append(inputs)
        same = spans[step - 1][0] if random.random() < 0.5 else random.randint(1, size)
        spans.append([same, step, step])
    buffers = tuple(Buffer(bytes_ * alignment, first, last, alignment) for bytes_, first, last in spans)
    shares: Shares = {}
    for step, inputs in enumerate(reads, 1):
        for k in inputs:
            if spans[k][2] == step and random.random() < 0.8:
                shares[k, step] = _share(random, buffers[k].size, buffers[step].size, alignment)
    return Problem(buffers, alignment, shares)


def _share(random: Random, before: int, after: int, alignment: int) -> tuple[Interval, ...]:
    """In place, or trailing by some distance, for an input of `before` and an output of `after` bytes."""
    if random.random() < 0.5:
        return ((-after, 0), (0, before))
    return ((-alignment * random.randrange(after // alignment + 1), before),)


def large(family: str, count: int, seed: int = 0) -> Problem:
    """Thousands of buffers: `network` (short lives, few long ones), `short` (up to 200 steps), `uniform` (any life)."""
    random = Random(seed)
    buffers = []
    for k in range(count):
        if family == "network":
            life = random.randrange(10, max(11, count // 100)) if random.random() < 0.03 else 1
            while random.random() < 0.6:
                life += 1
            size, first = random.randrange(1, 64) * random.choice((1, 4, 16, 64)), k
        elif family == "short":
            size, first, life = random.randrange(1, 1000), random.randrange(count), random.randrange(1, 200)
        else:
            one, two = random.randrange(count), random.randrange(count)
            size, first, life = random.randrange(1, 1000), min(one, two), abs(one - two) + 1
        buffers.append(Buffer(size, first, first + life - 1))
    return Problem(tuple(buffers))


def optimum(problem: Problem, most: int = 64) -> int:
    """The smallest peak, by trying every offset of every buffer: no idea of any planner's is in here.

    For a handful of buffers of a few bytes; raises ValueError above `most` bytes.
    """
    live = [
        [b.size for b in problem.buffers if b.first <= step <= b.last] for step in {b.first for b in problem.buffers}
    ]
    peak = max((max(sizes) if problem.shares else sum(sizes) for sizes in live), default=0)
    while peak <= most:
        if _fits(problem, peak, []):
            return -(-peak // problem.alignment) * problem.alignment
        peak += 1
    raise ValueError("too large for brute force")


def _fits(problem: Problem, peak: int, offsets: list[int]) -> bool:
    k = len(offsets)
    if k == len(problem.buffers):
        return True
    buffer = problem.buffers[k]
    if not buffer.size:
        return _fits(problem, peak, [*offsets, buffer.offset or 0])
    places = range(0, peak - buffer.size + 1, buffer.alignment)
    for offset in places if buffer.offset is None else [o for o in places if o == buffer.offset]:
        apart = all(_apart(problem, i, k, offset - other) for i, other in enumerate(offsets))
        if apart and _fits(problem, peak, [*offsets, offset]):
            return True
    return False


def _apart(problem: Problem, i: int, k: int, gap: int) -> bool:
    one, two = problem.buffers[i], problem.buffers[k]
    if not one.size or not two.size or one.last < two.first or two.last < one.first:
        return True
    return not any(low < gap < high for low, high in problem.shares.get((i, k), ((-two.size, one.size),)))
