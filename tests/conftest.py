import gc
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from interlingua.testing.lawbook import share
from laws import over

pytest_plugins = ["display.browsing"]

TRAFFIC = Path(__file__).resolve().parents[2] / "shared" / "traffic"


TAKES = {
    "quick": "about 5 minutes on two cores; the deep profile of the laws: make laws; the large proofs in full: make scale",
    "deep": "the laws, about 7 minutes on two cores",
}
"""How long a run of all tests takes, by the profile of Hypothesis."""


def pytest_configure(config: pytest.Config) -> None:
    over.all_pairs = config.getoption("--all-pairs")
    over.shared = 6 if config.getoption("--hypothesis-profile") in ("deep", "random") else 3


def pytest_report_header(config: pytest.Config) -> str | None:
    profile = config.getoption("--hypothesis-profile") or "quick"
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.getoption("keyword")
    return f"profile {profile}: {TAKES.get(profile, TAKES['deep'])}" if everything else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--traffic", metavar="DIR", type=Path, help="folder of recorded traffic, <api>.requests.jsonl")
    parser.addoption("--all-pairs", action="store_true", help="hold the laws of pairs to each pair of formats by itself")
    parser.addoption("--scale", metavar="N", type=int, default=1, help="so many times the documents of large proofs; 20 is all")
    parser.addoption("--attack", metavar="N", type=int, default=3000, help="so many cases of attacks; 300000 is all")
    parser.addoption("--attack-seed", metavar="N", type=int, default=0, help="the seed of the first case of attacks")
    parser.addoption("--pythons", metavar="VERSIONS", type=str.split, help="versions of Python that must be there: '3.12 3.13'")


@pytest.fixture(scope="session")
def scale(request: pytest.FixtureRequest) -> int:
    """How many times as many documents a large proof has as in the quick suite."""
    return int(request.config.getoption("--scale") or 1)


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


def pytest_collection_finish() -> None:
    """Thousands of tests and the modules of all SDKs stay: they need not be looked through at each garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Pass on how much of what was drawn the test really tested."""
    share.current.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item, "runtest", partial(_roomy, item.runtest))
        result = yield
    for kind, found in share.current.items():
        law = item.nodeid.partition("[")[0] + (f", {kind}" if kind else "")
        item.user_properties.append((SHARE, (law, *found)))
    return result


def _roomy(run: Callable[[], None]) -> None:
    """Run a test in one large chunk of the interpreter's stack.

    CPython asks the system for another chunk when a call passes the end of the last one, and gives it back when that call
    returns. Where thousands of short calls lie just there, as below deep strategies, this takes a fifth of the time. A chunk
    has room for at least the frame that needs it: this frame says that it is large, and what it calls fits into its chunk.
    """
    run()


_roomy.__code__ = _roomy.__code__.replace(co_stacksize=100_000)

SHARE = "share"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many cases were judged, where a test has many of them in one, and which share of them each law tested."""
    counted: Counter[str] = Counter()
    for name, value in properties(terminalreporter):
        if name != SHARE:
            counted[name] += value
    for name, total in counted.items():
        terminalreporter.write_line(f"{name}: {total}")
    for law, (tested, drawn, least) in shares(terminalreporter).items():
        terminalreporter.write_line(f"{law} tested {tested} of {drawn} ({tested / drawn:.0%}; at least {least:.0%})")


def properties(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, Any]]:
    """What the tests have noted."""
    for report in reporter.getreports(""):
        if report.when == "teardown":
            yield from report.user_properties


def shares(reporter: pytest.TerminalReporter) -> dict[str, share.Share]:
    """The share that each law tested in this run."""
    added: dict[str, share.Share] = {}
    for name, value in properties(reporter):
        if name == SHARE:
            law, *noted = value
            added[law] = added.get(law, share.NOTHING).plus(share.Share(*noted))
    return added


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A law that tested too little fails the run; of a part of a law, which `-k` selects, nobody can tell."""
    reporter: Any = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is None or session.config.getoption("keyword"):
        return
    too_small = [law for law, found in shares(reporter).items() if found.is_too_small]
    if too_small and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"\nlaws that tested too little of what they drew: {', '.join(too_small)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


# Hypothesis also draws constants that it finds in the modules imported so far, so that the examples would change with every
# literal in the package and with the order of the tests; it has no setting for that.
pytest.MonkeyPatch().setattr(providers, "_get_local_constants", Constants)

# The same examples in every run. The quick profile, which is the default, shows a failure as it found it; the deep one also
# looks for the smallest one; the random one is as deep, with other examples in every run.
QUICK = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],
)
settings.register_profile("quick", QUICK)
settings.register_profile("deep", QUICK, max_examples=80, phases=[Phase.explicit, Phase.generate, Phase.shrink])
settings.register_profile("random", settings.get_profile("deep"), derandomize=False)
settings.load_profile("quick")


@pytest.fixture
def interruptible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure no coverage in the processes that a test starts: an interrupt while coverage holds its lock would block them."""
    for name in os.environ:
        if name.startswith("COVERAGE_"):
            monkeypatch.delenv(name)
