"""Users of Python, each in an empty folder with nothing but the words of the README and the documents."""
