import { InvalidArgumentError } from 'commander';

/** A margin on the command line. @throws InvalidArgumentError */
export function threshold(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number < Infinity) return number;
  throw new InvalidArgumentError('It is not a number from 0.');
}
