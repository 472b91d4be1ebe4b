// The functions that machines name. `redial --import dist/src/functions.js` takes the same module.
import type { ContextFn } from 'redial-engine/activities';

/** The text for the model, beside the question and the transitions of the state. */
const letter: ContextFn = ({ metaJson }) => `A customer writes: ${String(metaJson?.['text'])}`;

export const contexts = { letter };
