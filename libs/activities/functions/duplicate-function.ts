import { RedialError } from '#lib/kernel';

/** A function is registered under a name that is taken. */
export class DuplicateFunction extends RedialError {
  constructor(kind: string, name: string) {
    super(`${kind} "${name}"`, 'the name is taken', 'Register it under another name');
  }
}
