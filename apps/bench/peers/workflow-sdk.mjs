import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { start as startRun } from 'workflow/api';
import { setWorld } from 'workflow/runtime';

const HERE = import.meta.dirname;
let built;

/** Runs a command of one of the packages. */
export function command(name, argv, options) {
  return promisify(execFile)(process.execPath, [join(HERE, 'node_modules', name), ...argv], options);
}

/** The workflow as its command line builds it for no framework: the routes of runs and of steps, and the id. */
export function routes(folder) {
  built ??= build(join(folder, 'workflow-sdk'));
  return built;
}

async function build(cwd) {
  await mkdir(cwd);
  await cp(join(HERE, 'workflows'), join(cwd, 'workflows'), { recursive: true });
  await symlink(join(HERE, 'node_modules'), join(cwd, 'node_modules'));
  await command('workflow/bin/run.js', ['build', '--target', 'standalone'], { cwd });
  const made = join(cwd, '.well-known/workflow/v1');
  const [flow, step] = [await load(join(made, 'flow.js')), await load(join(made, 'step.js'))];
  const { workflows } = JSON.parse(await readFile(join(made, 'manifest.json'), 'utf8'));
  const { workflowId } = Object.values(workflows).find((found) => 'decide' in found).decide;
  return { flow, step, workflowId };
}

async function load(file) {
  const { POST } = await import(pathToFileURL(file).href);
  return POST;
}

/**
 * Decisions in a world: each is a run, whose result is read when it has been stored. Its own wait polls once a second, and would be the only
 * thing measured.
 */
export async function decisionsIn(world, { ask, body, workflowId }) {
  globalThis.benchAsk = ask;
  const waiting = new Map();
  const completed = new Set();
  const create = world.events.create.bind(world.events);
  world.events.create = async (runId, event, ...rest) => {
    const created = await create(runId, event, ...rest);
    if (event.eventType === 'run_completed') (waiting.get(runId) ?? (() => completed.add(runId)))();
    return created;
  };
  return async () => {
    setWorld(world);
    const run = await startRun({ workflowId }, [body]);
    if (!completed.delete(run.runId)) await new Promise((resolve) => waiting.set(run.runId, resolve));
    waiting.delete(run.runId);
    return run.returnValue;
  };
}
