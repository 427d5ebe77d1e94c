"""Writes `docs/coming-from/expectations.md`: how often this package answers as other projects expect, by project and subject.

Run `python tools/outcomes.py` after a change of `tests/expectations`; with `--check` it writes nothing and reports whether
the file is stale. A test holds each case to the outcome that it notes.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generated import PACKAGE, run
from tables import DOCS, row

CASES = PACKAGE.parents[1] / "tests" / "expectations"
OUTCOMES = ("equal", "differs", "reported")
PROJECTS = {
    "adk": ("ADK", "https://github.com/google/adk-python"),
    "agent_framework": ("Microsoft Agent Framework", "https://github.com/microsoft/agent-framework"),
    "agentgateway": ("agentgateway", "https://github.com/agentgateway/agentgateway"),
    "ai_gateway": ("Envoy AI Gateway", "https://github.com/envoyproxy/ai-gateway"),
    "agno": ("Agno", "https://github.com/agno-agi/agno"),
    "any_llm": ("any-llm", "https://github.com/mozilla-ai/any-llm"),
    "axonhub": ("AxonHub", "https://github.com/looplj/axonhub"),
    "bifrost": ("Bifrost", "https://github.com/maximhq/bifrost"),
    "browser_use": ("browser-use", "https://github.com/browser-use/browser-use"),
    "cagent": ("Docker Agent", "https://github.com/docker/cagent"),
    "cc_switch": ("CC Switch", "https://github.com/farion1231/cc-switch"),
    "ccproxy": ("ccproxy-api", "https://github.com/CaddyGlow/ccproxy-api"),
    "cli_proxy_api": ("CLIProxyAPI", "https://github.com/router-for-me/CLIProxyAPI"),
    "cline": ("Cline", "https://github.com/cline/cline"),
    "codex": ("OpenAI Codex", "https://github.com/openai/codex"),
    "continue": ("Continue", "https://github.com/continuedev/continue"),
    "extensions_ai": ("Microsoft.Extensions.AI", "https://github.com/dotnet/extensions"),
    "fantasy": ("Fantasy", "https://github.com/charmbracelet/fantasy"),
    "gemini_cli": ("Gemini CLI", "https://github.com/google-gemini/gemini-cli"),
    "genkit": ("Genkit", "https://github.com/firebase/genkit"),
    "goose": ("goose", "https://github.com/block/goose"),
    "haystack": ("Haystack", "https://github.com/deepset-ai/haystack-core-integrations"),
    "helicone": ("Helicone", "https://github.com/Helicone/helicone"),
    "higress": ("Higress", "https://github.com/alibaba/higress"),
    "inspect_ai": ("Inspect AI", "https://github.com/UKGovernmentBEIS/inspect_ai"),
    "kong": ("Kong Gateway", "https://github.com/Kong/kong"),
    "langchain_anthropic": ("langchain-anthropic", "https://github.com/langchain-ai/langchain"),
    "langchain_aws": ("langchain-aws", "https://github.com/langchain-ai/langchain-aws"),
    "langchain_google": ("langchain-google-genai", "https://github.com/langchain-ai/langchain-google"),
    "langchain_js": ("LangChain.js", "https://github.com/langchain-ai/langchainjs"),
    "langchain4j": ("LangChain4j", "https://github.com/langchain4j/langchain4j"),
    "lingua": ("Lingua", "https://github.com/braintrustdata/lingua"),
    "llama_index": ("LlamaIndex", "https://github.com/run-llama/llama_index"),
    "litellm": ("LiteLLM", "https://github.com/BerriAI/litellm"),
    "llama_cpp": ("llama.cpp", "https://github.com/ggml-org/llama.cpp"),
    "llm_rosetta": ("LLM-Rosetta", "https://github.com/Oaklight/llm-rosetta"),
    "lobe_chat": ("LobeChat", "https://github.com/lobehub/lobe-chat"),
    "mistral_common": ("mistral-common", "https://github.com/mistralai/mistral-common"),
    "mlflow": ("MLflow AI Gateway", "https://github.com/mlflow/mlflow"),
    "new_api": ("New API", "https://github.com/QuantumNous/new-api"),
    "ollama": ("Ollama", "https://github.com/ollama/ollama"),
    "ogx": ("OGX", "https://github.com/llamastack/llama-stack"),
    "openai_agents": ("OpenAI Agents SDK", "https://github.com/openai/openai-agents-python"),
    "opencode": ("opencode", "https://github.com/anomalyco/opencode"),
    "plano": ("Plano", "https://github.com/katanemo/plano"),
    "portkey": ("Portkey AI Gateway", "https://github.com/Portkey-AI/gateway"),
    "pydantic_ai": ("Pydantic AI", "https://github.com/pydantic/pydantic-ai"),
    "qwen_code": ("Qwen Code", "https://github.com/QwenLM/qwen-code"),
    "rig": ("Rig", "https://github.com/0xPlaygrounds/rig"),
    "roo_code": ("Roo Code", "https://github.com/RooCodeInc/Roo-Code"),
    "ruby_llm": ("RubyLLM", "https://github.com/crmne/ruby_llm"),
    "sglang": ("SGLang", "https://github.com/sgl-project/sglang"),
    "spring_ai": ("Spring AI", "https://github.com/spring-projects/spring-ai"),
    "strands": ("Strands Agents", "https://github.com/strands-agents/sdk-python"),
    "sub2api": ("sub2api", "https://github.com/Wei-Shaw/sub2api"),
    "tensorzero": ("TensorZero", "https://github.com/tensorzero/tensorzero"),
    "vercel_ai": ("Vercel AI SDK", "https://github.com/vercel/ai"),
    "verifiers": ("Verifiers", "https://github.com/PrimeIntellect-ai/verifiers"),
    "vllm": ("vLLM", "https://github.com/vllm-project/vllm"),
    "zed": ("Zed", "https://github.com/zed-industries/zed"),
}

HEAD = """\
# What others expect

<!-- Written by tools/outcomes.py from tests/expectations: do not edit. -->

Other projects convert the same conversations, and their public tests say what they expect. The cases in `tests/expectations`
are built after them, with payloads of our own: what goes in, and what the other project has in the target's payload. A test
holds each to its outcome:

- *equal*: this package writes the same.
- *differs*: it writes something else on purpose, and the case says why.
- *reported*: it does not carry the value, a loss says so, and the case says why.

No case is wrong: whatever is not carried is reported.
"""


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each case, with the name of its project."""
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            yield file.stem, case


def table(title: str, counts: Mapping[str, Counter[str]], names: Mapping[str, str]) -> Iterator[str]:
    yield row(title, "cases", *OUTCOMES)
    yield row("---", *("---:" for _ in ("cases", *OUTCOMES)))
    for key in sorted(counts, key=str.lower):
        yield row(names.get(key, key), *numbers(counts[key]))
    yield row("**all**", *numbers(Counter(each for one in counts.values() for each in one.elements())))


def numbers(counts: Counter[str]) -> list[str]:
    return [str(counts.total()), *(str(counts[outcome]) for outcome in OUTCOMES)]


def differences() -> Iterator[str]:
    """The cases that are not equal, with their reasons."""
    for project, case in cases():
        if case["outcome"] != "equal":
            direction = f"`{case['source']}` → `{case['target']}`"
            yield row(PROJECTS[project][0], case["title"], direction, case["outcome"], case["reason"])


def page() -> str:
    by_project: dict[str, Counter[str]] = {}
    by_subject: dict[str, Counter[str]] = {}
    for project, case in cases():
        by_project.setdefault(project, Counter())[case["outcome"]] += 1
        by_subject.setdefault(case["about"], Counter())[case["outcome"]] += 1
    links = {key: f"[{name}]({address})" for key, (name, address) in PROJECTS.items()}
    lines = [
        HEAD,
        *table("project", by_project, links),
        "",
        *table("subject", by_subject, {}),
        "",
        "## What is not equal, and why",
        "",
        row("project", "what it expects", "direction", "outcome", "reason"),
        row(*["---"] * 5),
        *differences(),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(run(DOCS / "coming-from" / "expectations.md", page, "outcomes.py"))
