"""A learned second opinion where the rules are silent: is a named time meant as the present one, is a doing claimed?"""
