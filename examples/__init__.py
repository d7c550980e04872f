"""Small programs that use react-tck."""
