from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

TRAFFIC = Path(__file__).resolve().parents[2] / "shared" / "traffic"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--traffic", metavar="DIR", type=Path, help="folder of recorded traffic, <api>.requests.jsonl")
    parser.addoption("--all-pairs", action="store_true", help="hold the laws of pairs to each pair of formats by itself")
    parser.addoption("--pythons", metavar="VERSIONS", type=str.split, help="versions of Python that must be there: '3.12 3.13'")


@pytest.fixture(scope="session")
def traffic(request: pytest.FixtureRequest) -> Path:
    """The folder of recorded traffic; a folder that was asked for must be there."""
    asked: Path | None = request.config.getoption("--traffic")
    if asked is not None and not asked.is_dir():
        pytest.fail(f"--traffic {asked}: no such folder")
    folder = asked or TRAFFIC
    if not folder.is_dir():
        pytest.skip("no recorded traffic here")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how many cases were judged, where a test has many of them in one."""
    counted: Counter[str] = Counter()
    for report in terminalreporter.getreports(""):
        if report.when == "teardown":
            for name, value in report.user_properties:
                counted[name] += value
    for name, total in counted.items():
        terminalreporter.write_line(f"{name}: {total}")


# A failure is told as it was found; the deeper profile, by --hypothesis-profile=deep, also looks for the smallest one.
settings.register_profile(
    "ci",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],
)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.load_profile("ci")
