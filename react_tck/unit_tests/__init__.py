"""A failure as a unit test in the port's own language: literal HTTP answers, plain tools, and what was due."""
