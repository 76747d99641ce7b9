"""`python -m gardenpath`."""

from gardenpath.cli import main

main()
