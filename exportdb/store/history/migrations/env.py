"""What alembic runs to migrate: the connection is the one that ``connection`` hands over."""

from alembic import context

if __name__ == "env_py":  # the name under which alembic runs it; an import does nothing
    context.configure(connection=context.config.attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()
