"""The documentation as tests read it: pages, their blocks, what these print."""
