import helmet from 'helmet';

/**
 * Helmet's headers. The page of the docs loads scripts and styles from here alone, so its policy is the strict one; only
 * the rewriting of http to https is off: Redial itself speaks http, TLS is for what stands before it.
 */
export function securityHeaders(): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      directives: {
        'font-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'upgrade-insecure-requests': null,
      },
    },
  });
}
