"""Nobody but us judges what chat templates take: transformers has no types of it, and each template takes another thing."""

JUDGE = None
