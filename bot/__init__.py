"""Transports and the command line: Discord, terminal chat, settings, composition root."""
