package dev.portolan.apiserver;

/** How a client authenticates; the login may change from one request to the next. */
interface Credentials {
  /** An anonymous client. */
  Credentials NONE =
      new Credentials() {
        @Override
        public Login login() {
          return Login.NONE;
        }

        @Override
        public Login renew(Login refused) {
          return Login.NONE;
        }
      };

  /** The current login. */
  Login login() throws ApiException, InterruptedException;

  /**
   * The login to use after a server did not accept {@code refused}; the same if there is no other.
   */
  Login renew(Login refused) throws ApiException, InterruptedException;
}
