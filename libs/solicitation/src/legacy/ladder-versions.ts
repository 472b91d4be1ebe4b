/**
 * What fixes how a solicitation goes on. A change to prompts, to the reading of replies or to the ladder that would alter
 * the replay of histories is a new version here; the old rules stay then, and `next` chooses by the version in the start event.
 * There is one version yet, so nothing chooses.
 *
 * | version | since | what, why |
 * | --- | --- | --- |
 * | 1 | 0.1.0 | the first ladder: tools, decision JSON in the text, fresh text-mode call, reask |
 */
export const LADDER_VERSION = 1;
