"""Sets of unit numbers: as plain sets, whatever they are made of."""

import random

import pytest

from search.ledger import UnitSet
from search.ledger.unit_sets import common_part


def runs_of(generator, most=200):
    """Disjoint random runs, and all their numbers."""
    numbers, runs = set(), []
    for _ in range(generator.randrange(1, 12)):
        step = generator.choice((1, 1, 1, 2, 3, 4, 7, 12))
        start = generator.randrange(most)
        run = range(start, start + step * generator.randrange(1, 25), step)
        if numbers.isdisjoint(run):
            numbers.update(run)
            runs.append(run)
    return runs, numbers


@pytest.mark.parametrize("seed", range(60))
def test_it_holds_the_numbers_that_were_added(seed):
    generator = random.Random(seed)
    runs, numbers = runs_of(generator)
    units = UnitSet(runs)
    assert list(units) == sorted(numbers) and len(units) == len(numbers) and bool(units) == bool(numbers)
    assert [unit in units for unit in range(500)] == [unit in numbers for unit in range(500)]
    assert units == numbers and units.first() == min(numbers) and units.twice() is None
    of_blocks = UnitSet.of(sorted(runs, key=lambda run: run[0]))
    assert of_blocks == numbers and of_blocks == units


@pytest.mark.parametrize("seed", range(60))
def test_what_is_missing_and_what_is_common(seed):
    generator = random.Random(1000 + seed)
    (runs, numbers), (other_runs, others) = runs_of(generator), runs_of(generator)
    units, other = UnitSet(runs), UnitSet(other_runs)
    for _ in range(20):
        start, step = generator.randrange(200), generator.choice((1, 2, 3, 5, 6, 12))
        wanted = range(start, start + generator.randrange(400), step)
        assert list(units.missing(wanted)) == [unit for unit in wanted if unit not in numbers]
        assert units.count_in(wanted) == len(numbers.intersection(wanted))
        assert not wanted or units.overlaps(wanted) == bool(numbers.intersection(wanted))
    assert units.common(other) == numbers & others and other.common(units) == numbers & others
    if not numbers & others:
        units.update(other)
        assert units == numbers | others


@pytest.mark.parametrize("seed", range(40))
def test_runs_are_taken_out_again(seed):
    runs, numbers = runs_of(random.Random(2000 + seed))
    units = UnitSet(runs)
    for run in runs:
        units.remove(run)
        numbers.difference_update(run)
        assert units == numbers
    assert not units
    # However they came to be there.
    generator = random.Random(seed)
    units, numbers = UnitSet([range(0, 60), range(61, 200, 2)]), {*range(60), *range(61, 200, 2)}
    while numbers:
        first = generator.choice(sorted(numbers))
        run = range(first, first + 1)
        step = generator.choice((1, 2, 3, 5))
        while run[-1] + step in numbers:
            run = range(first, run[-1] + step + 1, step)
        units.remove(run)
        numbers.difference_update(run)
        assert units == numbers and list(units) == sorted(numbers)


def test_what_is_not_there_is_not_taken_out():
    units = UnitSet([range(0, 10), range(100, 200, 10)])
    before = list(units)
    for run in (range(5, 11), range(100, 200, 5), range(11, 12)):
        with pytest.raises(KeyError):
            units.remove(run)
    assert list(units) == before


def test_numbers_added_twice_are_noticed():
    assert UnitSet.of([range(0, 10), range(3, 4)]).twice() == 3
    assert UnitSet.of([range(0, 100, 10), range(7, 21)]).twice() in (10, 20)
    assert UnitSet.of([range(0, 100, 10), range(1, 100, 10)]).twice() is None


@pytest.mark.parametrize("seed", range(100))
def test_the_common_part_of_two_ranges(seed):
    generator = random.Random(3000 + seed)
    one, other = (
        range(start := generator.randrange(60), start + generator.randrange(150), generator.randrange(1, 15))
        for _ in range(2)
    )
    assert list(common_part(one, other)) == sorted(set(one) & set(other))


def test_a_hundred_million_units_cost_nothing():
    units = UnitSet([range(0, 10**8), range(10**8 + 1, 10**12, 1000)])
    assert next(iter(units.missing(range(0, 10**13)))) == 10**8
    units.add(range(10**8, 10**8 + 1))
    assert len(list(units.runs())) == 2 and units.count_in(range(0, 10**8 + 1)) == 10**8 + 1
