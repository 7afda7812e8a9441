"""What commands write, in Japanese: as a person reads it. What programs read stays what it is."""

import json
from pathlib import Path

import pytest
from typer.main import get_command

from bot.cli.program import build, run
from bot.speech.japanese import Japanese


@pytest.fixture
def japanese(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YORISOI_OPERATOR_LANGUAGE", "ja")
    return bare_environment


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("frob", "コマンド'frob'はありません。"),
        ("satus", "コマンド'satus'はありません。'status'ではありませんか。"),
        ("status --wat", "オプション--watはありません。"),
        ("backup --jsn", "オプション--jsnはありません。近いもの: --json"),
        ("restore", "引数'file'を指定してください。"),
        ("report", "オプション'--html'を指定してください。"),
        ("backup --to", "オプション'--to'には値が必要です。"),
        ("backup --json=1", "オプション'--json'には値を付けられません。"),
        ("status now", "余分な引数があります: now"),
        ("export-user x", "'user_id'の値が正しくありません。整数を指定してください。"),
        ("export-user 0", "'user_id'の値が正しくありません。1以上の値を指定してください。"),
        (
            "forget-user 99999999999999999999",
            "'user_id'の値が正しくありません。9223372036854775807以下の値を指定してください。",
        ),
        ("simulate --days 900", "'--days'の値が正しくありません。366以下の値を指定してください。"),
        ("bench load --rate x", "'--rate'の値が正しくありません。数値を指定してください。"),
        (
            "chat -l fr",
            "'--locale' / '-l'の値が正しくありません。'fr'は使えません。次のどれかを指定してください: 'ja', 'en'",
        ),
        ("simulate --html /", "'--html'の値が正しくありません。'/'はフォルダーです。ファイルを指定してください。"),
        (
            "character validate zz",
            "「zz」というキャラクターやフォルダーはありません。使えるもの: hinata",
        ),
        (
            "schedule show --at noon",
            "--at: 「noon」は日時として読めません。例: 2026-11-30T16:08、2026-11-30T16:08+09:00",
        ),
        (
            "schedule show --at 1066-10-14T09:00",
            "--at: 1066-10-14T09:00は範囲外です。1900年から2199年までの日時を指定してください。",
        ),
        (
            "social cycle --once",
            (
                "Discordの外でできるのはリハーサルだけです。--dry-runを付けてください。"
                "実際に行うには、Discordで/social run-onceを使います。"
            ),
        ),
    ],
)
def test_wrong_usage_is_told_in_japanese(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments.split()) == 2
    # Where an option has a value too many or none, the command line doesn't tell what command it was for.
    command = "yorisoi" if "値が必要" in said or "値を付け" in said else _command(arguments)
    assert capsys.readouterr().err == f"{said}（使い方は`{command} --help`で確認できます）\n"


def _command(arguments: str) -> str:
    """Return the command that is used, as far as there is one of that name."""
    path, commands = ["yorisoi"], vars(get_command(build())).get("commands", {})
    for argument in arguments.split():
        if argument not in commands:
            break
        path.append(argument)
        commands = vars(commands[argument]).get("commands", {})
    return " ".join(path)


@pytest.mark.usefixtures("bare_environment")
def test_a_group_without_a_command_shows_its_help_and_complains_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect"]) == 2

    shown = capsys.readouterr()
    assert "candidate" in shown.out
    assert shown.err == ""


@pytest.mark.usefixtures("japanese")
def test_bad_settings_are_told_in_japanese(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("YORISOI_BACKUP_HOURS", "daily")
    monkeypatch.setenv("YORISOI_BACKUPS_KEPT", "0")
    monkeypatch.setenv("YORISOI_BASIC_MODELS", '[{"base_url": "nowhere"}]')
    assert run(["status"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        (
            'YORISOI_BASIC_MODELS（1番目の"base_url"）: http://かhttps://で始まるアドレスにしてください。例: '
            'YORISOI_BASIC_MODELS=[{"base_url": "http://localhost:11434/v1", "api_key": "", "model": "qwen3:8b"}]'
        ),
        (
            'YORISOI_BASIC_MODELS（1番目の"model"）: 指定されていません。例: '
            'YORISOI_BASIC_MODELS=[{"base_url": "http://localhost:11434/v1", "api_key": "", "model": "qwen3:8b"}]'
        ),
        "YORISOI_BACKUP_HOURS: 数値で指定してください。例: YORISOI_BACKUP_HOURS=24",
        "YORISOI_BACKUPS_KEPT: 1以上の値にしてください。例: YORISOI_BACKUPS_KEPT=7",
    ]


@pytest.mark.usefixtures("japanese")
def test_a_misspelt_setting_is_told_in_japanese(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YORISOI_BACKUP_HUORS", "24")
    run(["status"])
    told = capsys.readouterr()
    assert told.err == (
        "YORISOI_BACKUP_HUORSという設定はありません。無視します。YORISOI_BACKUP_HOURSではありませんか。\n"
    )
    assert told.out == "停止しています\nデータベース: まだありません（yorisoi-data/yorisoi.db）\n"


def test_a_backup_is_made_and_restored_in_japanese(japanese: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["backup"]) == 1
    expected = "yorisoi-data/yorisoi.db: データベースがまだないので、バックアップするものがありません\n"
    assert capsys.readouterr().err == expected
    assert run(["restore", "none.db"]) == 1
    expected = "none.db: ファイルがありません。バックアップは`yorisoi backup`で作成できます\n"
    assert capsys.readouterr().err == expected
    (japanese / "notes.db").write_text("no database", "utf-8")
    assert run(["restore", "notes.db"]) == 1
    expected = "notes.db: SQLiteのデータベースではありません。別のファイルを指定してください。何も変更していません"
    assert capsys.readouterr().err.startswith(expected)


@pytest.mark.usefixtures("bare_environment")
def test_json_is_the_same_in_both_languages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for language in ("en", "ja"):
        monkeypatch.setenv("YORISOI_OPERATOR_LANGUAGE", language)
        for command in ("status --json", "models status --json"):
            run(command.split())
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert json.loads(told[0].partition("\n{\n")[0])["running"] is False


def test_an_evaluation_is_told_in_japanese_and_its_json_is_not(
    japanese: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {
        "steady": {"neither": {"left_alone": 1.0}, "both": {"left_alone": 1.0}},
        "x": {"gate": {"left_alone": 0.5}},
    }
    (japanese / "floors.json").write_text(json.dumps(short), "utf-8")
    asked = ["eval", "stance", "--model", "steady", "--variants", "neither", "--limit", "1"]

    assert run([*asked, "--html", "page.html", "--floors", "floors.json"]) == 1
    told = capsys.readouterr()
    assert "steady（人の付けた印と、書かれた条件で判定）" in told.out
    assert told.err.splitlines()[-3:] == [
        "ページをpage.htmlに書き出しました。",
        "steady, both, left_alone: 測っていません（下限は1.000）",
        "x, gate, left_alone: 測っていません（下限は0.500）",
    ]
    assert '<html lang="ja">' in (japanese / "page.html").read_text("utf-8")

    assert run([*asked, "--json"]) == 0
    (cell,) = json.loads(capsys.readouterr().out)["cells"]
    assert cell["judged_by"] == "labels and written checks"


class TestWords:
    words = Japanese.load()

    @pytest.mark.parametrize(
        ("english", "japanese"),
        [
            (
                (
                    "hinata: Discord does not accept the token in YORISOI_DISCORD_TOKEN. Copy it again (or reset it) "
                    "at https://discord.com/developers/applications > your application > Bot > Token."
                ),
                (
                    "hinata: YORISOI_DISCORD_TOKENのトークンがDiscordで認められません。https://discord.com/developers/"
                    "applications のアプリケーション > Bot > Tokenでコピーし直すか、リセットしてください。"
                ),
            ),
            (
                (
                    "yorisoi.db: another process keeps the database locked: stop the other program that uses it "
                    "(SQLITE_BUSY)"
                ),
                (
                    "yorisoi.db: ほかのプロセスがデータベースをロックしています。使っているプログラムを止めてください"
                    "（SQLITE_BUSY）"
                ),
            ),
            (
                (
                    "localhost:5432/y: no server answers there: start it, or correct YORISOI_DATABASE_URL, or the "
                    "address you gave"
                ),
                (
                    "localhost:5432/y: サーバーが応答しません。"
                    "起動するか、アドレス（YORISOI_DATABASE_URLなど）を直してください"
                ),
            ),
            (
                "gpt-4.1 at api.openai.com: the API key was refused: check the key of this endpoint (HTTP 401)",
                "gpt-4.1 at api.openai.com: APIキーが拒まれました。この接続先のキーを確認してください（HTTP 401）",
            ),
            (
                (
                    "money a day for a user, a server, all: 0.5 USD, no limit, no limit; "
                    "money a month for a user, a server, all: no limit, no limit, no limit"
                ),
                "1日の費用（個人、サーバー、全体の順）: 0.5 USD、上限なし、上限なし。1か月の費用: 上限なし",
            ),
            (
                (
                    "The shards 0-1/2 of hinata can't be had: a has 0-1/2, for 9 more seconds unless it goes on. Stop "
                    "it first, or start with --wait to take its place."
                ),
                (
                    "hinataのシャード0-1/2を確保できません。aが0-1/2を使っています（更新されなければ、あと9秒）。"
                    "先にそちらを止めるか、--waitを付けて起動してください。"
                ),
            ),
        ],
    )
    def test_what_is_put_together_is_told_in_japanese(self, english: str, japanese: str) -> None:
        assert self.words(english) == japanese

    @pytest.mark.parametrize(
        ("english", "japanese"),
        [
            ("sora: 14 problem(s)", "sora: 問題14件"),
            (
                (
                    "  sora/candidates.ja.toml:9: '8時' names a time on the clock; a neutral text must be true at any "
                    "moment, to anybody"
                ),
                (
                    "  sora/candidates.ja.toml:9: 「8時」は時刻を挙げています。neutralの文章は、いつ、だれに言っても"
                    "正しいものにしてください"
                ),
            ),
            (
                "  warning: sora/notes.ics: is not used; a calendar is read from schedule.ics",
                "  注意: sora/notes.ics: 使われません。カレンダーはschedule.icsから読み込みます",
            ),
            (
                'sora/schedule.toml:3: \'weekly[2].days[1]\' must be one of "mon", "tue"',
                'sora/schedule.toml:3: \'weekly[2].days[1]\': 次のどれかにしてください: "mon", "tue"',
            ),
            (
                "YORISOI_LOG_LEVEL must be one of 'debug', 'info' or 'error'. A good value: YORISOI_LOG_LEVEL=info",
                "YORISOI_LOG_LEVEL: 次のどれかにしてください: 'debug', 'info', 'error'。例: YORISOI_LOG_LEVEL=info",
            ),
            (
                "sora/schedule.ics:3: event 'nap': DTEND is not after DTSTART",
                "sora/schedule.ics:3: 予定「nap」: DTENDがDTSTARTより後ではありません",
            ),
            (
                (
                    "old.db: is older than 400 days; what people had deleted since is not known any more, and would "
                    "come back. --force restores it all the same"
                ),
                (
                    "old.db: 400日より古いバックアップです。その後に削除されたものがわからないため、元に戻って"
                    "しまいます。それでも書き戻すには--forceを付けてください"
                ),
            ),
            (
                "card.bin: can't be read: the file is not UTF-8 (byte 0); save it again as UTF-8",
                "card.bin: 読み込めません。ファイルがUTF-8ではありません（0バイト目）。UTF-8で保存し直してください",
            ),
            (
                "steady, both, left_alone: 0.500, below the floor of 0.900",
                "steady, both, left_alone: 0.500（下限の0.900を下回っています）",
            ),
            ("hinata: ready since 2026-11-30 16:08:00", "hinata: 接続済み（2026-11-30 16:08:00から）"),
            (
                "a.png: can't be written (No space left on device); choose another place",
                "a.png: 書き込めません（ディスクに空きがありません）。別の場所を指定してください",
            ),
            (
                "  - lorebook, 'without a key': rules nobody follows here: depth, role",
                "  - ロアブック、キーなし: ここでは働かない規則があります: depth, role",
            ),
            (
                "no model of tier 'basic' answered: a at b: failing (HTTP 500); c at d: gave no answer in time",
                (
                    "段階「basic」のどのモデルも応答しませんでした: a at b: エラーを返しています（HTTP 500）。"
                    "c at d: 時間内に応答がありませんでした"
                ),
            ),
        ],
    )
    def test_what_stands_behind_a_place_is_told_in_japanese(self, english: str, japanese: str) -> None:
        assert self.words(english) == japanese

    def test_what_isnt_known_stays_as_it_is(self) -> None:
        text = "something {odd} that\nnobody: ever said; at all, or so"
        assert self.words(text) == text
        assert Japanese({}, {})("Cancelled.") == "Cancelled."
