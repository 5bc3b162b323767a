/* Stands between Java's net.dll and Wine's iphlpapi.dll, which lacks one function that Java calls. */
#include <windows.h>

/* There are no anycast addresses: ERROR_NOT_FOUND. */
__declspec(dllexport) DWORD WINAPI GetAnycastIpAddressTable(USHORT family, void **table) {
  (void)family;
  *table = NULL;
  return ERROR_NOT_FOUND;
}
