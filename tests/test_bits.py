"""Sets of small numbers as Python integers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duels.core.fast import bit_set, members, up_to


@given(st.sets(st.integers(0, 400)) | st.sets(st.integers(0, 100_000), max_size=60))
def test_the_members_of_a_bit_set_are_its_numbers_in_increasing_order(numbers):
    assert members(bit_set(numbers)) == tuple(sorted(numbers))


@pytest.mark.parametrize("highest", [0, 1, 8, 9, 10, 63, 64, 1000])
def test_a_full_board_is_all_its_numbers(highest):
    assert members(up_to(highest)) == tuple(range(1, highest + 1))
