from tests.unit.bot.conftest import bare_environment

__all__ = ["bare_environment"]
