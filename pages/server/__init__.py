"""What all lessons share; beside the pages themselves the only place that imports streamlit."""

import tomllib
from pathlib import Path

TESTED = "1.67.0"  # of Streamlit; on another version the app runs with less (streamlit_patches)
# Of the app. The package mlm_core and the pocket edition have the same.
VERSION: str = tomllib.loads(
    Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]
