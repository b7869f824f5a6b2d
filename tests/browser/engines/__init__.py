"""Three engines behind one small interface, so that one file of claims holds for all of them.

`engine` says what a test can ask for; `webdriver` is what Firefox and WebKit have in common;
`chromium`, `firefox` and `webkit` start each and speak to it. Nothing here waits on a clock: tests
wait on what the page says.
"""
