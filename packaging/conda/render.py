"""Render the conda recipe for each Python as rattler-build does; a wrong recipe raises an error.

Needs py-rattler-build (PyPI), and no channel: no dependency is resolved.
"""

from __future__ import annotations

from pathlib import Path

from rattler_build import Stage0Recipe, VariantConfig

# What conda-forge sets for every recipe (conda_build_config.yaml of its pinning), as far as ours reads it.
PINNED = """
c_stdlib: [sysroot]
c_stdlib_version: ["2.28"]
python: [3.10.* *_cpython, 3.11.* *_cpython, 3.12.* *_cpython, 3.13.* *_cp313, 3.14.* *_cp314]
"""


def main() -> None:
    recipe = Stage0Recipe.from_file(str(Path(__file__).with_name("recipe.yaml")))
    variants = recipe.render(VariantConfig.from_yaml(PINNED))
    print(f"conda recipe: {len(variants)} variants rendered")


if __name__ == "__main__":
    main()
