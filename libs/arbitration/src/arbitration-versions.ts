/**
 * What fixes how an arbitration goes on. A change to the reading of verdicts or to retries that would alter the replay of
 * histories is a new version here; the old rules stay then, and `next` chooses by the version in the start event.
 * There is one version yet, so nothing chooses.
 *
 * | version | since | what, why |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | the first one: a call, again where that is worth it, the reading of what came |
 */
export const ARBITRATION_VERSION = 1;
