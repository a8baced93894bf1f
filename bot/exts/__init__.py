"""Features of the bot, one module each, ``exts/<area>/<feature>``, with an ``async setup(bot)``."""

EXTENSIONS = (
    "bot.exts.play.moves",
    "bot.exts.play.buttons",
    "bot.exts.play.picker",
    "bot.exts.table.match",
    "bot.exts.table.lobby",
    "bot.exts.table.care",
    "bot.exts.table.timer",
    "bot.exts.table.replay",
    "bot.exts.table.helping",
    "bot.exts.table.rollback",
    "bot.exts.table.admin",
    "bot.exts.table.trouble",
    "bot.exts.table.presence",
    "bot.exts.info.look",
    "bot.exts.info.rules",
    "bot.exts.info.mygames",
    "bot.exts.info.settings",
    "bot.exts.info.stats",
)
