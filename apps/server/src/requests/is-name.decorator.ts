import { Matches } from 'class-validator';

/** Ids that callers choose: of machines, gates and specialists. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

export function IsName(): PropertyDecorator {
  return Matches(NAME, {
    message: 'must be 1 to 128 letters, digits, dots, underscores, @ or hyphens, the first a letter or digit',
  });
}
