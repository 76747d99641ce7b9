"""`python -m gardenpath`."""

from gardenpath.commands.app import main

main()
