import { isNaming, type PeoplePolicy } from '#lib/candidates';
import { sha256 } from '#lib/kernel';

/**
 * The people who may answer, in words: `p:<person>`, `g:<group>`, `h:<specialist>:<person>` while this human specialist is enabled,
 * `m:<machine>` for its human specialists that were registered with an operation, `*` for reviewers and operators.
 */
export type AudienceWords = readonly string[];

/** Every reviewer and operator. */
export const EVERYBODY = '*';

export const personWord = (personId: string) => `p:${personId}`;
export const groupWord = (group: string) => `g:${group}`;
/** Before the key of the row of a specialist, `:` and a person. */
export const HUMAN = 'h:';
export const humanWord = (specialist: string, personId: string) => `${HUMAN}${specialist}:${personId}`;
export const machineWord = (machineName: string) => `m:${machineName}`;

/** The words of a policy, or `otherwise` if it names nobody. */
export function audienceWords(policy: PeoplePolicy | undefined, otherwise: AudienceWords): AudienceWords {
  if (!isNaming(policy)) return otherwise;
  const { groups = [], people = [] } = policy ?? {};
  return [...new Set([...people.map(personWord), ...groups.map(groupWord)])].toSorted();
}

/** Tasks with the same words have the same audience: its words are stored once. */
export function audienceId(words: AudienceWords): string {
  return sha256(words.join('\n')).slice(0, 32);
}
