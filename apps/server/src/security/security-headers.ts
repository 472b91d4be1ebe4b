import helmet from 'helmet';

/**
 * Helmet's headers. The page of the docs loads scripts and styles from here alone, so its policy is the strict one. Redial itself
 * speaks http: rewriting http to https and Strict-Transport-Security are for the proxy that adds TLS.
 */
export function securityHeaders(): ReturnType<typeof helmet> {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      directives: {
        'font-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'upgrade-insecure-requests': null,
      },
    },
  });
}
