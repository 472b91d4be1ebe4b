import { type Given, scripted, type ScriptState, type Workflow } from '#lib/workflow';
import { evaluationInput as input } from './evaluation.input.js';
import { Evaluating } from './evaluation.script.js';

/** Version 1 since 0.2.0. A change that alters replays, such as one of the scoring rule, is a new version. */
export const evaluation: Workflow<ScriptState<Evaluating>> = {
  name: 'evaluation',
  internal: true,
  versions: { 1: scripted({ input }, (given: Given) => new Evaluating(given)) },
};
