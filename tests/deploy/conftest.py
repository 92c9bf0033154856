"""What the tests of deploy/ share: nginx, and the app in two processes behind it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.deploy.site import Site, find_nginx, find_redis
from tests.waiting import wait_until


@pytest.fixture(scope="session")
def nginx() -> str:
    """Give the path of nginx.

    `make test` unpacks Debian's, so on Debian and Ubuntu a missing one is a failure.
    """
    try:
        return find_nginx()
    except FileNotFoundError as error:
        if shutil.which("apt-get"):
            pytest.fail(str(error))
        pytest.skip("no nginx here, and `make test` can bring only Debian's and Ubuntu's")


@pytest.fixture(scope="module")
def new_site(nginx: str, tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """Give what serves the app by deploy/serve.sh, for a `with` statement."""

    @contextmanager
    def start(n_processes: int, **environment: str) -> Iterator[Site]:
        equal = {"OMP_NUM_THREADS": "1", "MLM_GET_READY": "no", "MLM_MODELS": ""}
        site = Site(n_processes, tmp_path_factory.mktemp("site"), **equal, **environment)
        try:
            yield site
        finally:
            site.stop()

    return start


@pytest.fixture(scope="module")
def site(new_site: Callable) -> Iterator[Site]:
    """Give one site for all tests of a module; told to end, it must leave nothing behind.

    A site takes six seconds of a processor to start, so none is started for its end alone.
    """
    rooms = {"MLM_ROOMS": "redis"} if find_redis() else {}
    with new_site(2, **rooms) as one:
        assert one.n_up() == 2
        yield one
    assert one.process.returncode == 0
    # A process that came back is told to end, too, but nobody waits for it.
    wait_until(lambda: one.n_up() == 0)
