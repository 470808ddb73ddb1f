"""Where tasks run. One folder per kind of executor; none of them knows what a case is."""
