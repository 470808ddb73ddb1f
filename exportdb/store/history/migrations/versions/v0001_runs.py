"""Runs, environments, subjects, texts, results and records: the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "environment",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(16), nullable=False, unique=True),
        sa.Column("torch", sa.Text),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("environment_id", sa.Integer, nullable=False),
        sa.Column("torch", sa.Text),
        sa.Column("switches", sa.Text, nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("pruned", sa.Boolean, nullable=False),
        sa.UniqueConstraint("name", "started", name="one_row_per_run"),
    )
    op.create_table(
        "subject",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("case", sa.Text, nullable=False),
        sa.Column("suite", sa.Text, nullable=False),
        sa.Column("exporter", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.UniqueConstraint("case", "suite", "exporter", "device", name="one_row_per_subject"),
    )
    op.create_table(
        "text",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(16), nullable=False, unique=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    _results_and_records()
    op.create_table(
        "imported",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("bytes", sa.BigInteger, nullable=False),
    )


def _results_and_records() -> None:
    op.create_table(
        "result",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("subject_id", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(16), nullable=False, unique=True),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("exporter_version", sa.Text, nullable=False),
        sa.Column("error_type", sa.Text),
        sa.Column("dims_asked", sa.Integer, nullable=False),
        sa.Column("dims_kept", sa.Integer, nullable=False),
        sa.Column("graph_breaks", sa.Integer),
        sa.Column("graphs", sa.Integer),
        sa.Column("guards", sa.Integer),
        sa.Column("graph_id", sa.Integer),
        sa.Column("message_id", sa.Integer),
        sa.Column("rest", sa.LargeBinary, nullable=False),
    )
    op.create_index("result_by_verdict", "result", ["verdict"])
    op.create_table(
        "record",
        sa.Column("run_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("subject_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("environment_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("result_id", sa.Integer, nullable=False),
        sa.Column("readable_id", sa.Integer),
        sa.Column("seconds", sa.Text, nullable=False),
        sa.Column("peak_mib", sa.Float),
        sa.Column("cached", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "record_of_subject", "record", ["subject_id", "result_id", "run_id", "environment_id"]
    )
