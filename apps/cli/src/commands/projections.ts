import { oneLine } from '#lib/kernel';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionBehind, type ProjectionRunner, type ProjectionStatus } from '#lib/read-models';
import { settingsFor, withReadModels } from '../engine/with-log.js';
import { InvalidInput, ProjectionStopped } from '../error-classes.js';
import { type Columns, table } from '../format/table.js';
import { known } from '../format/text.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

const COLUMNS: Columns<ProjectionStatus> = {
  projection: ({ name }) => name,
  version: ({ version }) => version,
  status: ({ status }) => status,
  lag: ({ lag }) => known(lag, String),
  error: ({ error }) => oneLine(error?.message ?? '', 120),
};

/** Milliseconds in which a stopped projection reports its error: only folding an event shows whether it fails. */
const LOOK_MS = 2000;
/** The pause between two looks whether rows are filled. */
const AGAIN_MS = 50;

export async function list({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const items = await withReadModels(settingsFor(dataDir), async ({ projections }) => {
    await isBehind(projections);
    return projections.status();
  });
  print(items, json, io);
}

export async function rebuild(
  { dataDir, json, all }: GlobalOptions & { readonly all?: true },
  io: Io,
  name?: string,
): Promise<void> {
  if ((name === undefined) === (all === undefined))
    throw new InvalidInput(
      'redial projections rebuild',
      'it takes one name or --all',
      'Give a name, or --all',
    );
  const items = await withReadModels(settingsFor(dataDir), ({ projections }) =>
    rebuilt(projections, name === undefined ? 'all' : [name]),
  );
  print(items, json, io);
}

/** Fills the rows of this build up to the head of the log, before an upgrade, beside the server of the earlier build. */
export async function prepare({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const items = await withReadModels(settingsFor(dataDir), ({ projections }) =>
    filled(projections, projections.names),
  );
  print(items, json, io);
}

function print(items: readonly ProjectionStatus[], json: true | undefined, io: Io): void {
  printResult(io, json, { items }, () => table(COLUMNS, items));
}

/**
 * Fills projections again. Resolves when the rows that are read are filled and at the head of the log.
 * @returns the status of the named projections
 * @throws UnknownProjection; ProjectionStopped when an event cannot be folded
 */
async function rebuilt(
  projections: ProjectionRunner,
  wanted: readonly string[] | 'all',
): Promise<readonly ProjectionStatus[]> {
  const names = wanted === 'all' ? (await projections.status()).map(({ name }) => name) : wanted;
  await projections.rebuild(...names);
  return filled(projections, names);
}

/** @throws ProjectionStopped when an event cannot be folded */
async function filled(
  projections: ProjectionRunner,
  names: readonly string[],
): Promise<readonly ProjectionStatus[]> {
  for (;;) {
    const isOpen = await isBehind(projections);
    const statuses = (await projections.status()).filter(({ name }) => names.includes(name));
    const stopped = statuses.find(({ status }) => status === 'stopped');
    if (stopped) throw projectionStopped(stopped);
    const filling = statuses.find(({ status }) => status === 'rebuilding');
    if (filling && projections.fillingFailure) throw projectionStopped(filling);
    // While rows are filled beside the current ones, the current ones are at the head.
    if (!isOpen && !filling) return statuses;
    await delay(AGAIN_MS);
  }
}

/** Whether a projection is not at the head of the log after a short time. */
async function isBehind(projections: ProjectionRunner): Promise<boolean> {
  try {
    await projections.caughtUpWithHead(LOOK_MS);
    return false;
  } catch (error) {
    if (error instanceof ProjectionBehind) return true;
    throw error;
  }
}

function projectionStopped({ name, error }: ProjectionStatus): ProjectionStopped {
  const location = error?.stream === undefined ? '' : ` at ${error.stream} revision ${error.revision}`;
  const fix =
    'Look at that event with redial replay --all; the projection continues when the event can be applied';
  return new ProjectionStopped(
    `projection ${name} stopped${location}`,
    error?.message ?? 'no reason given',
    fix,
  );
}
