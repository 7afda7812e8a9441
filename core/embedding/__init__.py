"""Sentence vectors: the local encoder and a remote one."""
