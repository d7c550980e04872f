"""Imported, it leaves a thread that Python would wait for, for ever."""

import threading

threading.Thread(target=threading.Event().wait).start()
