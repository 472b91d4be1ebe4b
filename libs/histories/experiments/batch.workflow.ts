import { type Given, scripted, type ScriptState, type Workflow } from '#lib/workflow';
import { batchInput as input } from './batch.input.js';
import { Batch } from './batch.script.js';

/** Version 1 since 0.3.0. A change that alters replays is a new version. */
export const experimentBatch: Workflow<ScriptState<Batch>> = {
  name: 'experiment_batch',
  internal: true,
  versions: { 1: scripted({ input }, (given: Given) => new Batch(given)) },
};
