"""From the model to pages: one module for each kind of page, pure functions throughout."""
