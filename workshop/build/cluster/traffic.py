#!/usr/bin/env python3
"""traffic.py NAME=ADDRESS:PORT...: asks web servers until SIGTERM.

For each server it opens one connection after another, and it keeps three more open, on which it asks again and again.
Standard output gets one line per question: the time, the name, "new" or "kept", the milliseconds it took, and the
server's answer or "failed:" with the reason.
"""
import http.client
import signal
import sys
import threading
import time

KEPT = 3
PAUSE = 0.03
TIMEOUT = 10

ended = threading.Event()
writing = threading.Lock()


def ask(name, kind, connection):
    """Asks once, writes the line, and returns whether there was an answer."""
    started = time.time()
    try:
        if connection.sock is None:
            connection.connect()
        connection.request("GET", "/hostname")
        response = connection.getresponse()
        answer = response.read().decode()
        if response.status != 200:
            answer = f"failed:status-{response.status}"
    except (OSError, http.client.HTTPException) as failure:
        answer = "failed:" + repr(failure).replace(" ", "-")
    now = time.time()
    with writing:
        print(f"{now:.3f} {name} {kind} {(now - started) * 1000:.0f} {answer}", flush=True)
    return not answer.startswith("failed:")


def open_new(name, address):
    while not ended.is_set():
        connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
        ask(name, "new", connection)
        connection.close()
        ended.wait(PAUSE)


def keep(name, address):
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
    # A connection that broke is a failure, not a reason to open another unnoticed.
    connection.auto_open = 0
    while not ended.is_set():
        if not ask(name, "kept", connection):
            connection.close()
        ended.wait(10 * PAUSE)


def main():
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    threads = []
    for target in sys.argv[1:]:
        name, address = target.split("=")
        threads.append(threading.Thread(target=open_new, args=(name, address)))
        threads += [threading.Thread(target=keep, args=(name, address)) for _ in range(KEPT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
