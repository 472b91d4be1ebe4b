import { type Given, scripted, type ScriptState, type Workflow } from '#lib/workflow';
import { evaluationInput as input } from './evaluation.input.js';
import { Evaluating } from './evaluation.script.js';

/** Version 1 since 0.2.0. A change that alters the replay of histories, the rule of its score too, is a new version here. */
export const evaluation: Workflow<ScriptState<Evaluating>> = {
  name: 'evaluation',
  internal: true,
  versions: { 1: scripted({ input }, (given: Given) => new Evaluating(given)) },
};
