"""Tasks on the nodes of a Ray cluster: each node runs them as one machine alone would.

``node`` is what runs on a node, a local pool behind two queues; ``nodes`` is the end here, which
hands tasks out and takes endings in. Ray is asked for nothing but processes on nodes and calls
between them: isolation, time and memory limits are the pool's, wherever it is.
"""
