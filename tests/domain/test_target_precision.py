"""A target precision is one of few, and says what share of `high` values may be wrong."""

from serve_app.domain.target_precision import TargetPrecision


def test_it_is_written_as_the_number_that_it_is() -> None:
    assert [str(target) for target in TargetPrecision] == ["0.99", "0.995", "0.999"]


def test_a_stricter_one_allows_fewer_wrong_values() -> None:
    assert [target.allowed_wrong for target in TargetPrecision] == [0.01, 0.005, 0.001]
    assert [target.allowed_wrong_of_field for target in TargetPrecision] == [0.02, 0.01, 0.002]
