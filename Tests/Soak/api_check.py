"""A check for schemathesis, which `api.py` loads."""

import schemathesis

# A schema describes one value. Whether a range is empty or too long, a day exists, and the server has a zone is beyond it.
BEYOND_A_SCHEMA = {"since", "until", "tz"}


@schemathesis.check
def explained_refusal(context, response, case) -> None:
    """A refusal names a parameter and a remedy. If the request fits the schema, the parameter is one of a range."""
    if response.status_code != 400:
        return
    problem = response.json()
    assert problem["detail"].rstrip().endswith("."), f"no remedy: {problem}"
    if case.meta.generation.mode.is_positive:
        assert problem.get("parameter") in BEYOND_A_SCHEMA, f"a request that fits the schema is refused: {problem}"
