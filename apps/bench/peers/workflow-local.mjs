import { createLocalWorld } from '@workflow/world-local';
import { join } from 'node:path';
import { setWorld } from 'workflow/runtime';
import { decisionsIn, routes } from './workflow-sdk.mjs';

/**
 * A run of one step in JSON files and a queue in memory, both in this process. No file is flushed to the disk: its docs call it a world of
 * development.
 * @param {{ ask: (body: string) => Promise<string>, body: string, folder: string }} given
 */
export async function start({ ask, body, folder }) {
  const world = createLocalWorld({ dataDir: join(folder, 'workflow-local') });
  setWorld(world);
  const { flow, step, workflowId } = await routes(folder);
  world.registerHandler('__wkf_workflow_', flow);
  world.registerHandler('__wkf_step_', step);
  await world.start();
  return { decide: await decisionsIn(world, { ask, body, workflowId }), close: () => world.close() };
}
