"""The ``piazza`` command."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.config import ConfigError, checked_db, checked_token, load_settings
from engines.core.errors import PiazzaError, ReplayMismatch, SetupError

USAGE_ERROR = 2
UNREACHABLE = 1


def parser() -> argparse.ArgumentParser:
    """The command line."""
    from engines.core.registry import games

    keys = ", ".join(games())
    top = argparse.ArgumentParser(
        prog="piazza",
        description="Board games in a Discord server, a move now and a move tomorrow.",
        epilog="Settings come from the environment and from .env; see .env.example.",
    )
    sub = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    play = sub.add_parser(
        "play",
        help="play in the browser on a simulated Discord: no account, no token, no network",
        description="Play in the browser on a simulated Discord: no account, no token, no network. "
        "Every seat can be played from the page by switching the viewer.",
    )
    play.add_argument("--game", metavar="KEY", help=f"which game: {keys} (default: paris_paris)")
    play.add_argument("--seats", type=int, metavar="N", help="how many players (default: 3)")
    play.add_argument(
        "--db",
        type=Path,
        default=Path("piazza-local.db"),
        metavar="FILE",
        help="where the match is kept; the same file goes on with it (default: %(default)s)",
    )
    play.add_argument(
        "--port", type=int, default=0, help="port of the page (default: any that is free)"
    )
    play.add_argument("--no-browser", action="store_true", help="only print the page's address")

    run = sub.add_parser(
        "run",
        help="connect to Discord with the token from PIAZZA_TOKEN",
        description="Connect to Discord with the token from PIAZZA_TOKEN. SIGTERM or Ctrl-C "
        "finishes what is under way and leaves.",
    )
    run.add_argument("--db", type=Path, metavar="FILE", help="database (default: PIAZZA_DB)")

    sub.add_parser(
        "engine",
        help="speak JSON lines on stdin and stdout, for other programs (engines/PROTOCOL.md)",
        description="Speak JSON lines on stdin and stdout: the rules alone, for computer players "
        "and analysis. The protocol is in engines/PROTOCOL.md.",
    )

    backup = sub.add_parser(
        "backup",
        help="copy the database to FILE, also while the bot runs",
        description="Copy the database to FILE, checked and whole, also while the bot runs.",
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="new file")
    backup.add_argument("--db", type=Path, metavar="FILE", help="database (default: PIAZZA_DB)")

    replay = sub.add_parser(
        "replay",
        help="replay an exported match and check every position",
        description="Replay an exported match (JSON) and check every position against its hash.",
    )
    replay.add_argument("file", type=Path, metavar="FILE", help="the export")
    return top


def _play(args: argparse.Namespace) -> int:
    from bot.local import play
    from bot.logs import configure

    configure("warning")
    settings = load_settings(_env_file=None)
    asyncio.run(
        play(
            settings,
            game_key=args.game,
            seats=args.seats,
            db=checked_db(args.db),
            port=args.port,
            browser=not args.no_browser,
        )
    )
    return 0


def _run(args: argparse.Namespace) -> int:
    import aiohttp
    import discord

    from bot.app import run, stop_on_signals
    from bot.logs import configure

    settings = load_settings(db=args.db)
    token = checked_token(settings)
    checked_db(settings.db)
    configure(settings.log_level, settings.log_format)
    # Nobody talks here, so nobody need read that voice is not supported.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

    async def main() -> None:
        stop = asyncio.Event()
        stop_on_signals(stop)
        await run(settings, token, stop)

    try:
        asyncio.run(main())
    except discord.LoginFailure:
        raise ConfigError(
            "Discord refuses PIAZZA_TOKEN: make a new token in the developer portal, page “Bot”."
        ) from None
    except (aiohttp.ClientConnectionError, discord.DiscordServerError) as error:
        print(
            f"piazza: Discord cannot be reached ({type(error).__name__}). Look at the network, or "
            "wait, and start again; nothing has been lost.",
            file=sys.stderr,
        )
        return UNREACHABLE
    return 0


def _engine(args: argparse.Namespace) -> int:
    from engines.core.door import Door

    door = Door()
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        if line.strip():
            out.write(door.handle(line) + b"\n")
            out.flush()
    return 0


def _backup(args: argparse.Namespace) -> int:
    from storage.backup import backup_database

    settings = load_settings(db=args.db)
    backup_database(settings.db, args.file)
    print(f"Copied {settings.db} to {args.file}.")
    return 0


def _replay(args: argparse.Namespace) -> int:
    import msgspec

    from engines.core.play import Record, replay
    from engines.core.registry import game
    from engines.core.rng import commitment

    try:
        record = msgspec.json.decode(args.file.read_bytes(), type=Record)
    except OSError as error:
        raise ConfigError(f"{args.file} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{args.file} is no exported match: {error}.") from None
    found = game(record.game)
    if record.rules_version != found.meta.rules_version:
        print(
            f"Played by rules version {record.rules_version}; this Piazza has "
            f"{found.meta.rules_version}."
        )
    try:
        positions = [position for _, position, _ in replay(found, record)]
    except ReplayMismatch as error:
        print(f"Differs: {error}.", file=sys.stderr)
        return 1
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise ConfigError(f"{args.file} is no exported match: {error}.") from None
    if not record.start_hash or any(not entry.hash for entry in record.entries):
        print("Differs: positions without a hash cannot be checked.", file=sys.stderr)
        return 1
    count = len(positions) - 1
    print(f"{found.meta.title}: {count} log entries replayed, every position as recorded.")
    print(f"SHA-256 of the seed, to compare with the post at the start: {commitment(record.seed)}")
    outcome = found.outcome(positions[-1])
    if outcome is None:
        print("The match was not played to its end.")
    else:
        print(f"Scores by seat: {', '.join(str(score.total) for score in outcome.scores)}.")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "play": _play,
    "run": _run,
    "engine": _engine,
    "backup": _backup,
    "replay": _replay,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        0; 2 if a setting, file or argument is wrong (with one sentence on stderr); 1 if a replay
        differs or Discord cannot be reached.
    """
    args = parser().parse_args(argv)
    try:
        return COMMANDS[args.command](args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
    except SetupError as error:
        print(f"piazza: {error.text}", file=sys.stderr)
    except PiazzaError as error:
        print(f"piazza: {error}", file=sys.stderr)
    return USAGE_ERROR


if __name__ == "__main__":
    sys.exit(main())
