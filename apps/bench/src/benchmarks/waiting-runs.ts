import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, Observation } from '../comparison.js';
import { fillWithWaitingRuns } from '../fixtures/waiting-runs.js';
import { median } from '../median.js';
import { askProcess } from '../servers/ask-process.js';
import type { BesideRuns } from '../servers/engine-beside-runs.js';

const FEW = 1_000;
const MANY = 100_000;
const TIMES = 5;

/** Whether a start, decisions and memory depend on how many runs wait. */
export const waitingRuns: Benchmark = {
  name: 'waiting-runs',
  onlyByName: true,
  async open(folder) {
    const [few, many] = [await filled(folder, FEW), await filled(folder, MANY)];
    return { comparisons: [], observe: () => observe(few, many), close: async () => undefined };
  },
};

/** The first process makes the rows. */
async function filled(folder: string, runs: number): Promise<string> {
  const dataDir = join(folder, String(runs));
  await mkdir(dataDir);
  await fillWithWaitingRuns(dataDir, runs);
  await ask(dataDir);
  return dataDir;
}

function ask(dataDir: string): Promise<BesideRuns> {
  return askProcess<BesideRuns>('./engine-beside-runs.js', dataDir);
}

async function observe(few: string, many: string): Promise<readonly Observation[]> {
  const [ofFew, ofMany]: [BesideRuns[], BesideRuns[]] = [[], []];
  while (ofMany.length < TIMES) {
    ofFew.push(await ask(few));
    ofMany.push(await ask(many));
  }
  const beside = (what: keyof BesideRuns, unit: string, per: number, observed: string): Observation[] => {
    const of = (found: readonly BesideRuns[]) => median(found.map((each) => each[what])) / per;
    const [short, long] = [of(ofFew), of(ofMany)];
    const name = `waiting-runs-${what}`;
    return [
      {
        name: `${name}-few`,
        value: short,
        unit,
        observed: `${observed}, ${FEW.toLocaleString('en-US')} runs wait`,
      },
      {
        name: `${name}-many`,
        value: long,
        unit,
        observed: `${observed}, ${MANY.toLocaleString('en-US')} runs wait`,
      },
      { name, value: long / short, atMost: 1.5, unit: 'times', observed: 'the one to the other' },
    ];
  };
  return [
    ...beside('start', 'ms', 1, 'processor time of a start and the first page of runs that wait'),
    ...beside('decision', 'ms', 1, 'processor time of a session of the cycle'),
    ...beside('heapUsed', 'MB', 1e6, 'heap in use afterwards'),
  ];
}
