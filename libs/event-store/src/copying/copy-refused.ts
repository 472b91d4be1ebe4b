import { RedialError } from '#lib/kernel';

/** The target cannot take this copy: it holds something else under the prefix, or it is the source itself. */
export class CopyRefused extends RedialError {}

export function holdsOther(stream: string, revision: number, why: string): CopyRefused {
  return new CopyRefused(
    `cannot copy over ${stream} revision ${revision} of the target`,
    why,
    'Copy to a place without a log of this prefix: another file, or another server. What is in the target was left as it is',
  );
}
