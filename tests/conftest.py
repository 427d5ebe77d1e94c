from pathlib import Path

import pytest

TRAFFIC = Path(__file__).resolve().parents[2] / "shared" / "traffic"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--traffic", metavar="DIR", type=Path, help="folder of recorded traffic, <api>.requests.jsonl")


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
