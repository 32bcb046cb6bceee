"""Other formats of labelled documents, read into and written from a folder with docs/ and truth/."""
