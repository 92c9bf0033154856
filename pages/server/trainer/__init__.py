"""The one trainer of a server, and the tickets of those who wait for it."""
