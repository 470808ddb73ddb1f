from __future__ import annotations
class Guard:
    def begin(self)->None: pass
    def end(self)->str|None: return None
