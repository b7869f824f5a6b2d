"""The builder's parts: a lesson's Markdown in, a static site out; one verb a module."""
