"""How long the first call of a capture took: unknown of what was measured before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    op.add_column("record", sa.Column("first_call", sa.Float))
