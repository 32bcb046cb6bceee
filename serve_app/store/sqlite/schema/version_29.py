"""What the tables gain for states and filters of reviews, further events, and the web application's lists."""

STATEMENTS: tuple[str, ...] = ()
