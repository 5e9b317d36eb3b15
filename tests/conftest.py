"""How cases are made up: the same ones every time, or new ones at each run.

Test modules take over the profile when they are imported, so it is chosen here, before that. What
is kept of games lies in a folder of this run's own.
"""

import atexit
import os
import shutil
import tempfile
from importlib import import_module
from pkgutil import walk_packages

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

import rulelang

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers share the folder of those who began
    os.environ["RULELANG_CACHE"] = tempfile.mkdtemp(prefix="rulelang-tests-")
    atexit.register(shutil.rmtree, os.environ["RULELANG_CACHE"], ignore_errors=True)

# Whatever fails does so by what was committed, not by chance or by how busy a machine is.
settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search",
    derandomize=False,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Numbers and texts of the modules that are loaded are tried as cases; some modules are loaded only
# when they are needed, that is, by whichever tests a process happened to run before.
for module in walk_packages(rulelang.__path__, "rulelang."):
    import_module(module.name)
