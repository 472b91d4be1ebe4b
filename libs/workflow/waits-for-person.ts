import { RedialError } from '#lib/kernel';
import { isOwnAwait, type OpenStep } from './run.decider.js';
import type { Run } from './run.rules.js';

/** A run continues only after a signal. It stays open, and callers that wait for it get this error. */
export class WaitsForPerson extends RedialError {}

/** A run by the names that make its stream. */
export interface RunName {
  readonly workflow: string;
  readonly runId: string;
}

export type LoadRun = (name: RunName) => Promise<Run | undefined>;

/** The run at the top: the run itself, or the one that started it, and so on. */
export async function rootOf(run: Run, load: LoadRun): Promise<Run | undefined> {
  const { owner } = run.start.data;
  if (!owner || !('run' in owner)) return run;
  const parent = await load({ workflow: owner.workflow, runId: owner.run });
  return parent && rootOf(parent, load);
}

/** The signal that a run and its children wait for, if no other event can come first: no call is open, and no driver has work to do. */
export async function personAwaited(run: Run, load: LoadRun): Promise<WaitsForPerson | undefined> {
  const [first] = (await awaitsOf(run, load)) ?? [];
  return first && waits(run, first);
}

interface OpenAwait extends RunName {
  readonly signal: string;
}

/** The open awaits of the run and its children; `undefined` if another step is open, or the run ends by itself. */
async function awaitsOf(run: Run, load: LoadRun): Promise<readonly OpenAwait[] | undefined> {
  const { open, end, cancelRequested } = run.steps;
  if (end) return [];
  // The awaits of a cancelled run stay open until its driver ends it: no person can answer them.
  if (open.size === 0 || cancelRequested) return undefined;
  const found: OpenAwait[] = [];
  for (const step of open.values()) {
    const inStep = await awaitsIn(step, nameOf(run), load);
    if (!inStep) return undefined;
    found.push(...inStep);
  }
  return found;
}

async function awaitsIn(
  step: OpenStep,
  name: RunName,
  load: LoadRun,
): Promise<readonly OpenAwait[] | undefined> {
  switch (step.kind) {
    case 'call':
      return undefined;
    case 'timer':
      return [];
    case 'await':
      // The clock has ended the await: the driver continues without an answer.
      if (step.isOver) return undefined;
      return isOwnAwait(name.workflow, step) ? [] : [{ ...name, signal: step.signal }];
    case 'child': {
      const child = await load(step);
      return child && awaitsOf(child, load);
    }
  }
}

function nameOf({ runId, start }: Run): RunName {
  return { workflow: start.data.workflow, runId };
}

function waits({ runId, start }: Run, awaited: OpenAwait): WaitsForPerson {
  const what = `${start.data.workflow} ${runId}`;
  const why = `its ${awaited.workflow} ${awaited.runId} waits for the signal ${awaited.signal}`;
  return new WaitsForPerson(what, why, 'Answer it, as the inbox shows it; then ask again');
}
