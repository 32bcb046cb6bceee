"""What is wrong in an evaluation, value by value: what was printed, what was given, and why."""
