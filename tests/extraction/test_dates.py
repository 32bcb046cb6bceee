"""Dates of ten languages, and the order of day and month."""

from datetime import date

import pytest

from serve_app.extraction.dates.dates import Order, day_month_order, find_dates, possible_orders


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-03-01", date(2024, 3, 1)),
        ("01.03.2024", date(2024, 3, 1)),
        ("1/3/24", date(2024, 3, 1)),
        ("לתשלום עד .01/03/2024", date(2024, 3, 1)),
        ("1 March 2024", date(2024, 3, 1)),
        ("March 1st, 2024", date(2024, 3, 1)),
        ("01-Mar-2024", date(2024, 3, 1)),
        ("1. März 2024", date(2024, 3, 1)),
        ("1er mars 2024", date(2024, 3, 1)),
        ("15 de marzo de 2024", date(2024, 3, 15)),
        ("3 września 2024", date(2024, 9, 3)),
        ("05 Şubat 2023", date(2023, 2, 5)),
        ("12 août 2021", date(2021, 8, 12)),
        ("2024.03.01", date(2024, 3, 1)),
        ("Datum:01.03.2024 14:33", date(2024, 3, 1)),
        ("28 Jan 15", date(2015, 1, 28)),
        ("Feb23'19 10:23AM", date(2019, 2, 23)),
        ("11:30 MAR 25 2009", date(2009, 3, 25)),
        ("Feb2319 10:23AM", date(2019, 2, 23)),
        ("2021 m. gruodžio 15 d.", date(2021, 12, 15)),
        ("2024. október 9.", date(2024, 10, 9)),
        ("2024-Oct-09", date(2024, 10, 9)),
        ("2024. gada 9. oktobrī", date(2024, 10, 9)),
        ("15. joulukuuta 2024", date(2024, 12, 15)),
        ("12. studenoga 2023.", date(2023, 11, 12)),
        ("3 ianuarie 2024", date(2024, 1, 3)),
        ("12 lipnja 2024", date(2024, 6, 12)),
        ("7. desember 2021", date(2021, 12, 7)),
        ("Ngày (Date) 09 tháng (month) 10 năm (year) 2024", date(2024, 10, 9)),
        ("2024年10月9日", date(2024, 10, 9)),
        ("06 травня 2025", date(2025, 5, 6)),
        ("9 декабря 2024 г.", date(2024, 12, 9)),
        ("17. septembar 2025.", date(2025, 9, 17)),
        ("12 Μαρτίου 2024", date(2024, 3, 12)),
        # With two digits of the year.
        ("Mar 5, 25", date(2025, 3, 5)),
        ("Mar-05-25", date(2025, 3, 5)),
        ("March 5 '25", date(2025, 3, 5)),
        ("12.VI.25", date(2025, 6, 12)),
        # Without separators, as in the boxes of a form.
        ("14082025", date(2025, 8, 14)),
        ("Date 08142025", date(2025, 8, 14)),
        # Of the Buddhist era.
        ("09/08/2564", date(2021, 8, 9)),
        # Beside an address.
        ("06/05/2024 Unit 3", date(2024, 5, 6)),
        ("06/05/2024 March 3", date(2024, 5, 6)),
        # With a time that is written as dates are.
        ("26/6/2025, 16.05.30", date(2025, 6, 26)),
    ],
)
def test_finds_a_date_however_it_is_written(text: str, value: date) -> None:
    assert [found.value(Order.DAY_FIRST) for found in find_dates(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "令和7年6月11日",
        "R7.6.11",
        "民國114年6月11日",
        "中華民國 114 年 6 月 11 日",
        "114/06/11",
        "11/06/2568",
        "11 มิถุนายน 2568",
        "11 มิถุนายน พ.ศ. 2568",
        "11 มิ.ย. 68",
        "11 VI 2025",
        "11.VI.2025",
        "11/6-2025",
        "11/6-25",
        "11 يونيو 2025",
        "11 जून 2025",
        "11 ივნისი 2025",
        "11 júní 2025",
    ],
)
def test_dates_of_other_eras_and_notations_are_read(text: str) -> None:
    assert [found.value(Order.DAY_FIRST) for found in find_dates(text)] == [date(2025, 6, 11)]


def test_the_first_year_of_an_era_has_a_name() -> None:
    assert [found.value(Order.DAY_FIRST) for found in find_dates("令和元年5月7日")] == [date(2019, 5, 7)]


@pytest.mark.parametrize(
    "text",
    [
        "FV/5/VI/2025",
        "114.06.11.2",
        "Mar 2023 10:15",
        "Feb2319",
        "1.234,56",
        "tel. 030/1234567",
        "12.50 10.00",
        "IBAN DE12 5001 0517 0648 4898 90",
        "2023 May 15.50",
    ],
)
def test_finds_no_date_where_there_is_none(text: str) -> None:
    assert not find_dates(text)


def test_finds_every_date_of_a_line() -> None:
    found = find_dates("03/20/2023 04/04/2023")
    assert [date_.value(Order.DAY_FIRST) for date_ in found] == [date(2023, 3, 20), date(2023, 4, 4)]


@pytest.mark.parametrize("text", ["08.05.2025. 23.05.2025.", "2025. 05. 08. 2025. 05. 23."])
def test_dates_that_end_in_a_point_may_stand_side_by_side(text: str) -> None:
    found = [each.value(Order.DAY_FIRST) for each in find_dates(text)]
    assert found == [date(2025, 5, 8), date(2025, 5, 23)]


def test_the_documents_own_dates_decide_the_order() -> None:
    assert day_month_order(["05/04/2023", "20/05/2023"], month_first_hint=True) is Order.DAY_FIRST
    assert day_month_order(["05/04/2023", "05/20/2023"], month_first_hint=False) is Order.MONTH_FIRST


def test_the_hint_decides_where_the_dates_do_not() -> None:
    assert day_month_order(["05/04/2023"], month_first_hint=True) is Order.MONTH_FIRST
    assert day_month_order(["05/04/2023"], month_first_hint=False) is Order.DAY_FIRST


def test_a_day_that_does_not_exist_is_read_in_the_other_order() -> None:
    (found,) = find_dates("12/25/2024")
    assert found.value(Order.DAY_FIRST) == date(2024, 12, 25)
    assert find_dates("31.02.2024")[0].value(Order.DAY_FIRST) is None


def test_a_day_does_not_begin_inside_another_date() -> None:
    found = find_dates("01/26/20 January 2020 12/30/19")
    assert [each.value(Order.MONTH_FIRST) for each in found] == [date(2020, 1, 26), date(2019, 12, 30)]


def test_a_street_that_is_named_after_a_day_does_not_take_its_year_from_the_next_date() -> None:
    found = find_dates("Calle 10 de Agosto 14/02/2024 16:40")
    assert [each.value(Order.DAY_FIRST) for each in found] == [date(2024, 2, 14)]


def test_an_article_number_shows_nothing_about_dates_with_all_of_their_year() -> None:
    assert day_month_order(["07/02/2019", "03-26-21"], month_first_hint=False) is Order.DAY_FIRST
    assert day_month_order(["07/02/2019", "03/26/2019"], month_first_hint=False) is Order.MONTH_FIRST
    assert day_month_order(["07/02/2019", "03/26/19"], month_first_hint=False) is Order.MONTH_FIRST


def test_what_is_no_date_in_any_order_decides_nothing() -> None:
    # The sort code of a bank.
    assert day_month_order(["9/6/25", "Sort code 00-99-17"], month_first_hint=False) is Order.DAY_FIRST


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Dates shown DD/MM/YYYY", Order.DAY_FIRST),
        ("(mm/dd/yyyy)", Order.MONTH_FIRST),
        ("TT.MM.JJJJ", Order.DAY_FIRST),
        ("DATE (YY/MM/DD)", Order.YEAR_FIRST),
    ],
)
def test_an_order_in_letters_decides(line: str, order: Order) -> None:
    assert day_month_order(["03/02/2025", line], month_first_hint=True) is order


def test_a_short_date_may_begin_with_its_year() -> None:
    (found,) = find_dates("25/02/19")
    assert found.value(Order.YEAR_FIRST) == date(2025, 2, 19)
    assert [each.value(Order.YEAR_FIRST) for each in find_dates("25/02/2019")] == [date(2019, 2, 25)]


def test_a_day_that_is_also_printed_with_its_month_in_words_shows_the_order() -> None:
    lines = ["Ngày 08 tháng 07 năm 2025", "Signed 08/07/2025"]
    assert possible_orders(lines, month_first_hint=True) == (Order.DAY_FIRST,)
    assert possible_orders(["Signed 08/07/2025"], month_first_hint=True)[0] is Order.MONTH_FIRST


@pytest.mark.parametrize("text", ["May 5, 12 and 19", "May 5, 10:30", "5 x 12", "SAT14082025", "39082025", "14082099"])
def test_two_digits_are_no_year_where_they_may_be_something_else(text: str) -> None:
    assert find_dates(text) == ()


@pytest.mark.parametrize(
    ("text", "may_begin"), [("25-03-05", True), ("28.03.25", False), ("05.03.25", False), ("25-03-2005", False)]
)
def test_a_short_date_of_long_ago_may_begin_with_its_year(text: str, may_begin: bool) -> None:
    (found,) = find_dates(text)
    assert found.may_begin_with_year is may_begin


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025년 7월 3일", date(2025, 7, 3)),
        ("تاریخ 1404/03/22", date(2025, 6, 12)),
        ("تاریخ 1403/12/30", date(2025, 3, 20)),
        ("1404/01/01 تاریخ", date(2025, 3, 21)),
    ],
)
def test_dates_of_korea_and_iran(text: str, day: date) -> None:
    assert [found.value(Order.DAY_FIRST) for found in find_dates(text)] == [day]


@pytest.mark.parametrize("text", ["1404/03/22", "تاریخ 1404/12/30", "التاريخ 1446/11/22", "Order 1404/03/22"])
def test_a_number_is_a_day_of_iran_only_beside_its_words_and_if_there_is_one(text: str) -> None:
    """Days of the Islamic calendar depend on the sight of the moon: they are none here."""
    assert find_dates(text) == ()
