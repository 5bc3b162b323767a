package dev.portolan.source.kube.access;

/** Who asks; what is shown of it may change from one request to the next. */
interface Credentials {
  /** Somebody unknown. */
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

  /** What to show now. */
  Login login() throws ApiException, InterruptedException;

  /**
   * What to show after a server did not accept {@code refused}; the same where there is no other.
   */
  Login renew(Login refused) throws ApiException, InterruptedException;
}
