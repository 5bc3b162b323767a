/* stop PID: presses Ctrl-C in the console of a process, as a service wrapper of Windows does to end it. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

int main(int count, char **words) {
  DWORD pid = count == 2 ? strtoul(words[1], NULL, 10) : 0;
  FreeConsole();
  if (!AttachConsole(pid)) {
    fprintf(stderr, "stop: process %lu has no console: error %lu\n", pid, GetLastError());
    return 1;
  }
  /* It reaches all processes of the console, of which this is one now. */
  SetConsoleCtrlHandler(NULL, TRUE);
  if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) {
    fprintf(stderr, "stop: no Ctrl-C for process %lu: error %lu\n", pid, GetLastError());
    return 1;
  }
  return 0;
}
