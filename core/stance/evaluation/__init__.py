"""Stance integrity measured: fixtures, models with a known fault, judgement of what was delivered (seed 000, §8)."""
