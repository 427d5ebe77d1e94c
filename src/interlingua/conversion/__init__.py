"""The functions that read, write and convert requests, responses and streams of all formats."""
