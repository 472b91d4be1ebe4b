/**
 * The headers of a request to a model with the default configuration. A call that sent exactly these records none. Part of the storage format: logs
 * of every release refer to them.
 */
export const USUAL_REQUEST_HEADERS: Readonly<Record<string, string>> = {
  Accept: 'application/json',
  Authorization: '[REDACTED]',
  'Content-Type': 'application/json',
  'User-Agent': 'redial',
};
