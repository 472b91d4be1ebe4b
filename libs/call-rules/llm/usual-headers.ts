/**
 * The headers of a request to a model that is configured as by default. A call that sent these and no others records none. Part of
 * the storage format: logs of every release refer to them.
 */
export const USUAL_REQUEST_HEADERS: Readonly<Record<string, string>> = {
  Accept: 'application/json',
  Authorization: '[REDACTED]',
  'Content-Type': 'application/json',
  'User-Agent': 'redial',
};
