import { InvalidArgumentError } from 'commander';

/** A time on the command line, as it came. @throws InvalidArgumentError */
export function time(text: string): string {
  if (/^\d{4}-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It is no ISO 8601 time, such as 2026-01-31 or 2026-01-31T12:00:00Z.');
}
