/** The header of Basic authentication, and everything that would give the password away where it stood. */
export interface BasicAuth {
  readonly header: string;
  readonly secrets: readonly string[];
}

/** An unset password is an empty one: it has nothing to hide. */
export function basicAuth(user: string, password = ''): BasicAuth {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const header = `Basic ${credentials}`;
  // Without the padding: what an echo leaves of that says nothing.
  return { header, secrets: password === '' ? [] : [password, credentials.replace(/=+$/, '')] };
}
