"""What models state as text: whether it is what a page prints, and whether it is the value that was chosen."""
