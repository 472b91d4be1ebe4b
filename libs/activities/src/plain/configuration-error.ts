import type { Rejection } from '#lib/kernel';

/** Nothing was sent: this process is not configured for it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'configuration';

  constructor({ message }: Rejection) {
    super(message);
  }
}
