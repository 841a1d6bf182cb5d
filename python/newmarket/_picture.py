"""Pictures of views: their SVG, rasterised. Needs the extra ``newmarket[picture]``."""

from __future__ import annotations

import functools
import io
import warnings

import numpy as np
import numpy.typing as npt

from newmarket import View

#: Height and width of a picture in pixels: multiples of 16, as video encoders want them.
HEIGHT, WIDTH = 448, 640

#: Families of fonts that one system or another has.
_FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica")


class NoPicturesError(ImportError, TypeError):
    """A library that draws pictures is missing.

    It is a ``TypeError`` as well, since Stable-Baselines3 asks for pictures first and does without at one.
    """


def check_pictures() -> None:
    """Raise ``NoPicturesError`` unless the libraries that draw are there."""
    try:
        import PIL
        import resvg_py  # noqa: F401
    except ImportError as error:
        raise NoPicturesError(
            "render_mode `rgb_array` needs resvg-py and Pillow: pip install 'newmarket[picture]'"
        ) from error


def picture(view: View) -> npt.NDArray[np.uint8]:
    """A view, ``uint8[448, 640, 3]``: its SVG as large as fits, in the middle of white."""
    return raster(view.svg())


def raster(svg: str) -> npt.NDArray[np.uint8]:
    """An SVG, ``uint8[448, 640, 3]``. A generic family of fonts is one that the system has."""
    return _draw(svg, _family())


def _draw(svg: str, family: str) -> npt.NDArray[np.uint8]:
    import resvg_py
    from PIL import Image, ImageOps

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=WIDTH,
        height=HEIGHT,
        background="white",
        font_family=family,
        serif_family=family,
        sans_serif_family=family,
        monospace_family=family,
    )
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return np.array(ImageOps.pad(image, (WIDTH, HEIGHT), color="white"), np.uint8)


@functools.cache
def _family() -> str:
    """The first family that draws a letter; a warning if there is none."""
    letter = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 3"><text y="2">K</text></svg>'
    for family in _FAMILIES:
        if (_draw(letter, family) != 255).any():
            return family
    warnings.warn(
        f"no font for pictures, which have no text: install one of {', '.join(_FAMILIES)}", stacklevel=4
    )
    return _FAMILIES[0]
