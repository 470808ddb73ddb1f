"""The tables of the history, as they are after the last migration.

A night's run says mostly what the night before said. So what a record says (``result``) is kept
once, however many runs said it, long texts (``text``) once for all results, and what is left of a
record is a row of numbers. The key of that row makes doubles impossible: run, subject (suite, case,
exporter, device) and environment.

The ID of a run is when it began, in milliseconds since 1970, or the next number that is free: a
range of time is a range of the records' key. There are no foreign keys: rows are added and
removed together in one transaction, and checking each would double what an import costs.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

#: The migration that makes these tables; ``migrations/versions`` has each.
REVISION = "0002"

METADATA = MetaData()

environments = Table(
    "environment", METADATA,
    Column("id", Integer, primary_key=True),
    Column("digest", String(16), nullable=False, unique=True),
    Column("torch", Text),
    Column("data", Text, nullable=False),  # all of it, as JSON
)  # fmt: skip

runs = Table(
    "run", METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("environment_id", Integer, nullable=False),
    Column("torch", Text),  # the minor version, by which runs are told apart
    Column("switches", Text, nullable=False),
    Column("header", Text, nullable=False),  # planned, plan, arguments, as JSON
    Column("pruned", Boolean, nullable=False),
    UniqueConstraint("name", "started", name="one_row_per_run"),
)  # fmt: skip

subjects = Table(
    "subject", METADATA,
    Column("id", Integer, primary_key=True),
    Column("case", Text, nullable=False),
    Column("suite", Text, nullable=False),
    Column("exporter", Text, nullable=False),
    Column("device", Text, nullable=False),
    UniqueConstraint("case", "suite", "exporter", "device", name="one_row_per_subject"),
)  # fmt: skip

texts = Table(
    "text", METADATA,
    Column("id", Integer, primary_key=True),
    Column("digest", String(16), nullable=False, unique=True),
    Column("body", LargeBinary, nullable=False),
)  # fmt: skip

results = Table(
    "result", METADATA,
    Column("id", Integer, primary_key=True),
    Column("subject_id", Integer, nullable=False),
    Column("digest", String(16), nullable=False, unique=True),  # of what names the subject, too
    Column("outcome", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("verdict", Text),
    Column("exporter_version", Text, nullable=False),
    Column("error_type", Text),
    Column("dims_asked", Integer, nullable=False),
    Column("dims_kept", Integer, nullable=False),
    Column("graph_breaks", Integer),
    Column("graphs", Integer),
    Column("guards", Integer),
    Column("graph_id", Integer),
    Column("message_id", Integer),
    Column("rest", LargeBinary, nullable=False),
    Index("result_by_verdict", "verdict"),
)  # fmt: skip

records = Table(
    "record", METADATA,
    Column("run_id", BigInteger, primary_key=True, autoincrement=False),
    Column("subject_id", Integer, primary_key=True, autoincrement=False),
    Column("environment_id", Integer, primary_key=True, autoincrement=False),
    Column("result_id", Integer, nullable=False),
    Column("readable_id", Integer),
    Column("seconds", Text, nullable=False),
    Column("peak_mib", Float),
    Column("first_call", Float),
    Column("cached", Boolean, nullable=False),
    Index("record_of_subject", "subject_id", "result_id", "run_id", "environment_id"),
    sqlite_with_rowid=False,  # the key is where a row lies, and an import only appends
)  # fmt: skip

#: Files of the home that have been imported, by name, with the length they had.
imported = Table(
    "imported", METADATA,
    Column("name", Text, primary_key=True),
    Column("bytes", BigInteger, nullable=False),
)  # fmt: skip
