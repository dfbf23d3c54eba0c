"""A check for schemathesis, which `api.py` loads."""

import schemathesis

# A schema describes one value. Whether a range is empty or too long, a day exists, and the server has a zone is beyond it; so is whether
# a text is a duration or a bucket, of which the schema has examples.
BEYOND_A_SCHEMA = {"since", "until", "tz", "min-duration", "valid-day", "by"}


@schemathesis.check
def explained_refusal(context, response, case) -> None:
    """A refusal names a parameter and a remedy. If the request fits the schema, the parameter is one of these."""
    if response.status_code != 400:
        return
    problem = response.json()
    assert problem["detail"].rstrip().endswith("."), f"no remedy: {problem}"
    if case.meta.generation.mode.is_positive:
        assert problem.get("parameter") in BEYOND_A_SCHEMA, f"a request that fits the schema is refused: {problem}"
