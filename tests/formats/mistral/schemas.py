"""The schemas of responses and chunks, which are those of Chat."""

from formats.openai_chat import schemas as of_chat

schemas = of_chat.schemas
