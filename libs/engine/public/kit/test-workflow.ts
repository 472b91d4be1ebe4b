import type { RunView } from '#lib/runs/runs';
import { type Json, RedialError } from '#lib/kernel';
import type { Workflow } from '#lib/workflow';
import { expectIdentical } from './expect-identical.js';
import { createTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.js';

/** A run of a test cannot continue. */
export class RunSetAside extends RedialError {}

/** The input of a run in a test, and the options of its engine. */
export interface WorkflowTestOptions extends TestEngineOptions {
  readonly input: Json;
}

/** The run of a test, and the engine that it has for itself. */
export interface WorkflowTest extends TestEngine {
  readonly runId: string;
}

/**
 * Runs a workflow twice: live, in an engine of its own, and once more on the record, where each step must be the recorded one.
 * @param play answers people and lets time pass. It begins once the run waits for nothing else. The run may still be open after it.
 * @returns the run after that
 * @throws RunSetAside if the run, or a child of it, cannot continue, as after a mistake in its script
 * @throws ReplayDiffers if the second run takes another step, as with a random number of its own
 * @throws ModelExhausted
 */
export async function testWorkflow(
  workflow: Workflow,
  { input, workflows = [], ...options }: WorkflowTestOptions,
  play: (test: WorkflowTest) => unknown = () => undefined,
): Promise<RunView> {
  const engine = await createTestEngine({ ...options, workflows: [workflow, ...workflows] });
  try {
    const { redial } = engine;
    const { runId } = await redial.startRun({ workflow: workflow.name, input });
    await settled(engine);
    await play({ ...engine, runId });
    await settled(engine);
    expectIdentical(await redial.replayRun({ runId }));
    return await redial.getRun({ runId });
  } finally {
    await engine.close();
  }
}

/** @throws RunSetAside @throws ModelExhausted */
async function settled({ redial, idle }: TestEngine): Promise<void> {
  await idle();
  const [item] = (await redial.listRecovery()).items;
  if (item) throw new RunSetAside(item.stream, item.failure, 'Correct the cause that the failure names');
}
