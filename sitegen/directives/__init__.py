"""The directives of any lesson, one file each; `sitegen.directive` says what a file holds."""
