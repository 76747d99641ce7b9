"""The study server: participants' sessions, their answers in a database, the researcher's dashboard."""
