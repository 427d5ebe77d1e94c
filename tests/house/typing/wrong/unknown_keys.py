"""What checkers must refuse of code that reads messages like dicts; each line notes the error that it must give."""

import interlingua as il


def unknown_keys(
    message: il.Message, user: il.UserMessage, part: il.Part, request: il.Request, event: il.Event, end: il.StreamEnd
) -> None:
    user["mood"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    user["tool_calls"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    user.get("mood")  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    message["mood"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    message["tool_calls"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    message.get("mood")  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    part["mood"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    request["message"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    event["mood"]  # error: mypy[call-overload, index], pyright[reportCallIssue, reportArgumentType]
    end["mood"]  # error: mypy[index], pyright[reportArgumentType]


def wrong_values(user: il.UserMessage, key: str) -> str:
    if user["role"] == "assistant":  # error: mypy[comparison-overlap], pyright[reportUnnecessaryComparison]
        return ""
    user["content"].strip()  # error: mypy[union-attr], pyright[reportAttributeAccessIssue, reportUnknownMemberType]
    user[key]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    user["role"] = "user"  # error: mypy[index], pyright[reportIndexIssue]
    return user["name"]  # error: mypy[return-value], pyright[reportReturnType]


def no_narrowing(message: il.Message, part: il.Part) -> None:
    if "content" in message:
        message["content"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
    if part["type"] == "text":
        part["text"]  # error: mypy[call-overload], pyright[reportCallIssue, reportArgumentType]
