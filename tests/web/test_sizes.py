"""What a page weighs."""

import gzip

from serve_app.web import static

SCRIPTS = 40_000
REVIEW_SCRIPTS = 36_000
STYLES = 20_000


def packed(ending: str) -> dict[str, int]:
    return {name: len(gzip.compress(data, 9)) for name, data in static._assets().items() if name.endswith(ending)}


def test_all_scripts_and_all_styles_together_stay_small() -> None:
    scripts, styles = packed(".js"), packed(".css")
    review = {name: scripts.pop(name) for name in list(scripts) if name.startswith("review/")}
    assert sum(scripts.values()) < SCRIPTS, scripts
    # Loaded on its own screens only.
    assert sum(review.values()) < REVIEW_SCRIPTS, review
    assert sum(styles.values()) < STYLES, styles
