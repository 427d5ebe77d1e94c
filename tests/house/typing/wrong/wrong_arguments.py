"""What checkers must refuse of code that makes and changes messages, and of calls of ours."""

import interlingua as il

TEXT = il.TextPart(text="hi")


def arguments(event: il.TextDelta, one: il.UserMessage) -> None:
    il.UserMessage()  # error: mypy[call-arg], pyright[reportCallIssue]
    il.UserMessage(content=7)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.UserMessage(content=None)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.UserMessage(content=["hi"])  # error: mypy[list-item], pyright[reportArgumentType]
    il.UserMessage(content=TEXT)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.UserMessage(content=(part for part in [TEXT]))  # error: mypy[arg-type], pyright[reportArgumentType]
    il.UserMessage(content="hi", mood="good")  # error: mypy[call-arg], pyright[reportCallIssue]
    il.AssistantMessage(tool_calls=[TEXT])  # error: mypy[list-item], pyright[reportArgumentType]
    il.AssistantMessage(tool_calls="f")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.ToolResultPart(content=[il.RefusalPart(refusal="no")])  # error: mypy[list-item], pyright[reportArgumentType]
    il.Request(messages=one)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.Request(messages=[TEXT])  # error: mypy[list-item], pyright[reportArgumentType]
    il.Request(messages=[one], stop="\n")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump(one, "anthropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump([TEXT], "anthropic")  # error: mypy[list-item], pyright[reportArgumentType]


def changes(user: il.UserMessage, answer: il.AssistantMessage) -> None:
    user.content = "ho"  # error: mypy[misc], pyright[reportAttributeAccessIssue]
    answer.content = [TEXT]  # error: mypy[misc], pyright[reportAttributeAccessIssue]
    user.name = "mira"  # error: mypy[misc], pyright[reportAttributeAccessIssue]


def growth(user: il.UserMessage) -> None:
    user.content.append(TEXT)  # error: mypy[union-attr], pyright[reportAttributeAccessIssue, reportUnknownMemberType]


def names() -> il.FormatName:
    return "opnai_chat"  # error: mypy[return-value], pyright[reportReturnType]


# fmt: off
def misspelt(messages: list[il.Message], request: il.Request, response: il.Response, name: str, chunks: list[str]) -> None:
    il.dump(messages, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump(request, name)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump(request, name, on_loss="raise", check="raise")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump(request, "anthropic", on_loss="rise")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.load({}, "openai-chat")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.convert({}, source="openai", target="anthropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.convert({}, source="openai_chat", target="antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.convert({}, source="auto", target=name)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.load_response({}, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.dump_response(response, name)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.reader("antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.writer(name)  # error: mypy[arg-type], pyright[reportArgumentType]
    il.restream(chunks, source="openai_chat", target="antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.sse(chunks, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.check(request, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.repair(request, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.repair(request, "anthropic", policy="drp")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.openapi("antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.show(messages, "antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.html(request, formats=[name])  # error: mypy[list-item], pyright[reportArgumentType]
    il.diff(messages, name)  # error: mypy[arg-type], pyright[reportArgumentType]
    messages[0].dump_as("antropic")  # error: mypy[arg-type], pyright[reportArgumentType]
    il.ChatMessageBuilder().dump("antropic")  # error: mypy[arg-type], pyright[reportArgumentType]


def replaced(message: il.Message, user: il.UserMessage, part: il.TextPart, request: il.Request, event: il.TextDelta) -> None:
    user.replace(contnet="ho")  # error: mypy[call-arg], pyright[reportCallIssue]
    user.replace(content=7)  # error: mypy[arg-type], pyright[reportArgumentType]
    user.replace(content=None)  # error: mypy[arg-type], pyright[reportArgumentType]
    user.replace(role="system")  # error: mypy[arg-type], pyright[reportArgumentType]
    user.replace(tool_calls=[])  # error: mypy[call-arg], pyright[reportCallIssue]
    message.replace(content="ho")  # error: mypy[call-arg], pyright[reportCallIssue]
    part.replace(text=TEXT)  # error: mypy[arg-type], pyright[reportArgumentType]
    request.replace(temprature=1)  # error: mypy[call-arg], pyright[reportCallIssue]
    request.replace(messages=user)  # error: mypy[arg-type], pyright[reportArgumentType]
    event.replace(index="1")  # error: mypy[arg-type], pyright[reportArgumentType]
    return user.replace(content="ho")  # error: mypy[return-value], pyright[reportReturnType]
