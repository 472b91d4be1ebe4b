import { InvalidArgumentError } from 'commander';

/** A count on the command line. @throws InvalidArgumentError */
export function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It is not a whole number above 0.');
}
