"""Functions that tasks of the tests call: well-behaved ones, and one for each way to misbehave."""
import os, time
def echo(x): return x
def hang(): time.sleep(1000)
def segv():
    os.kill(os.getpid(), 11)
