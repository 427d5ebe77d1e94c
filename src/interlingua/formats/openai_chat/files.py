"""Files that are sent with an invented name, as images, or as their text."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.image_files import image_of_file, report_image
from ...codec.media import UNNAMED
from ...codec.text_files import file_as_text
from .base import ChatDump


def file_to_send(part: Any, d: ChatDump, *, may_be_image: bool) -> Any:
    """The part to send for a file: the image in it, if the host accepts images only as images; otherwise the file.

    Gateways get files of their own shape unchanged.

    OpenAI takes no files but PDF ("Expected a base64-encoded data URL with an application/pdf MIME type").
    """
    profile = d.profile
    takes_files = "file" in profile.media_kinds and not (profile.flat_media or profile.typed_media)
    if not may_be_image or (d.same_family and profile.open and takes_files):
        return part
    return image_of_file(part, d) or part


def needs_name(d: ChatDump) -> bool:
    """Whether a file without a name gets an invented one, which OpenAI needs, and some hosts behind a gateway.

    A file from a host of the same shape stays without a name where the target accepts that.
    """
    if d.exact:
        return False
    profile: Any = None if d.source is None else d.source.profile
    is_alike = d.same_family and not getattr(profile, "flat_media", False)
    return d.profile.named_files or not is_alike


def finish_file(part: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Report what a file is sent as, and its name."""
    if out["type"] == "text":
        file_as_text(part, path, at, d)
    elif out["type"].startswith("image"):
        report_image(part, path, at, d)
    elif "file_id" in out and part.filename is not None:
        d.drop(path + "/filename", "a file that is sent by its id must not have a `filename`")
    elif not part.filename and out.get("file", {}).get("filename"):
        d.report("added", path, at + "/file/filename", UNNAMED)
