"""The doors: requests, responses and streams of every format go in and out here."""
