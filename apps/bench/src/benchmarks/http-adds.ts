import { randomUUID } from 'node:crypto';
import type { Benchmark, Observation } from '../comparison.js';
import { CHOSEN } from '../fixtures/decision-machine.js';
import { BENCH_KEY } from '../fixtures/decision-engine.js';
import { median } from '../median.js';
import type { Inner, Spent } from '../servers/http-sides-server.js';
import { ServerProcess } from '../servers/server-process.js';

const BLOCKS = 20;
const CALLS = 100;

/** The cost of HTTP for a call that only waits, beside that of a bare Nest route with the same bodies for the same wait. */
export const httpAdds: Benchmark = {
  name: 'http-adds',
  group: 'decision',
  async open(folder) {
    const model = await ServerProcess.start('./model-server.js', CHOSEN);
    const settings = { REDIAL_DATA_DIR: folder, OPENAI_API_KEY: BENCH_KEY, OPENAI_BASE_URL: model.url };
    const server = await ServerProcess.start('./http-sides-server.js', JSON.stringify(settings));
    return {
      comparisons: [],
      observe: () => observe(server.url),
      async close() {
        await server.stop();
        await model.stop();
      },
    };
  },
};

type Side = Inner | 'ours' | 'keyed' | 'bare';
type Sides = { readonly [S in Side]: Spent[] };

async function observe(urls: string): Promise<readonly Observation[]> {
  const [ours = '', bare = '', path = ''] = urls.split(' ');
  const over = (url: string, keyed: boolean) => () => spentOn(bare, () => post(`${url}${path}`, keyed));
  const inner = (side: Inner) => async () =>
    (await (await fetch(`${bare}/calls/${side}/${CALLS}`, { method: 'POST' })).json()) as Spent;
  const measures = {
    ours: over(ours, false),
    keyed: over(ours, true),
    bare: over(bare, true),
    facade: inner('facade'),
    work: inner('work'),
  };
  const sides: Sides = { ours: [], keyed: [], bare: [], facade: [], work: [] };
  // The first block does not count.
  for (let block = 0; block <= BLOCKS; block++)
    for (const side of Object.keys(measures) as Side[]) {
      const spent = await measures[side]();
      if (block > 0) sides[side].push(spent);
    }
  const cpu = (side: Side) => median(sides[side].map((spent) => spent.cpu / CALLS));
  const time = (side: Side) => median(sides[side].flatMap(({ each }) => each));
  return [...adds('cpu', 'processor time of the server', cpu), ...adds('time', 'time', time)];
}

function adds(name: string, what: string, of: (side: Side) => number): readonly Observation[] {
  const [ours, bare] = [of('keyed') - of('facade'), of('bare') - of('work')];
  const unit = 'ms';
  return [
    { name: `http-adds-${name}`, value: ours, unit, observed: `${what} that HTTP adds to a keyed call` },
    { name: `http-adds-${name}-bare`, value: bare, unit, observed: 'the same of a bare Nest route' },
    {
      name: `http-adds-${name}-ratio`,
      value: ours / bare,
      atMost: 1.5,
      unit: 'times',
      observed: 'the one to the other',
    },
    {
      name: `http-adds-${name}-key`,
      value: of('keyed') - of('ours'),
      unit,
      observed: `${what} that the key adds`,
    },
    {
      name: `http-adds-${name}-facade`,
      value: of('facade') - of('work'),
      unit,
      observed: `${what} that the facade adds`,
    },
  ];
}

async function spentOn(control: string, call: () => Promise<void>): Promise<Spent> {
  const processorTime = async () => ((await (await fetch(`${control}/cpu`)).json()) as Spent).cpu;
  const [before, each]: [number, number[]] = [await processorTime(), []];
  while (each.length < CALLS) {
    const start = performance.now();
    await call();
    each.push(performance.now() - start);
  }
  return { cpu: (await processorTime()) - before, each };
}

async function post(url: string, keyed: boolean): Promise<void> {
  const headers = { 'Content-Type': 'application/json', ...(keyed && { 'Idempotency-Key': randomUUID() }) };
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ specialistId: 'clerk' }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${url} answered ${answer.status}: ${text}`);
}
