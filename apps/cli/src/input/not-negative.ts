import { InvalidArgumentError } from 'commander';

/** A number that is not negative, on the command line. @throws InvalidArgumentError */
export function notNegative(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number < Infinity) return number;
  throw new InvalidArgumentError('It is not a number from 0.');
}
