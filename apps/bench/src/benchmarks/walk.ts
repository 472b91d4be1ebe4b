import { randomUUID } from 'node:crypto';
import type { ICommand } from '@nestjs/cqrs';
import type { Benchmark, Observation } from '../comparison.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { OpenSessions } from '../fixtures/decision-machine.js';
import { type Entered, functionsEntered } from '../fixtures/functions-entered.js';

const WARM_UP = 20;
const LONGEST_MS = 60_000;

/**
 * The functions and files that one keyed proposal of a model passes, from its handler to the answer, warm. Projections follow the
 * log behind it: they have caught up, and are stopped.
 */
export const walk: Benchmark = {
  name: 'walk',
  async open(folder) {
    const engine = await openDecisionEngine(folder);
    return { comparisons: [], observe: () => observe(engine), close: () => engine.close() };
  },
};

async function observe(engine: DecisionEngine): Promise<readonly Observation[]> {
  const { redial, projections } = engine;
  const open = new OpenSessions();
  await open.make(redial, WARM_UP + 1);
  const propose = () =>
    redial.submitProposal(
      { sessionId: open.take(), specialistId: 'clerk' },
      { idempotencyKey: randomUUID() },
    );
  for (let n = 0; n < WARM_UP; n++) await propose();
  await projections.caughtUpWithHead(LONGEST_MS);
  await projections.stop();
  return report(await enteredByHandler(engine, propose));
}

/** The handler that the dispatcher calls: work before it and after it is not counted. */
async function enteredByHandler(
  { commands }: DecisionEngine,
  call: () => Promise<unknown>,
): Promise<readonly Entered[]> {
  const execute = commands.execute.bind(commands);
  let entered: readonly Entered[] = [];
  commands.execute = async (command: ICommand) => {
    const counted = await functionsEntered(() => execute(command));
    ({ entered } = counted);
    return counted.answer;
  };
  await call();
  commands.execute = execute;
  return entered;
}

function report(entered: readonly Entered[]): readonly Observation[] {
  const files = new Set(entered.map(({ file }) => file)).size;
  const libs = [...new Set(entered.map(({ lib }) => lib))];
  const inLib = libs
    .map((lib) => ({ lib, value: entered.filter((one) => one.lib === lib).length }))
    .toSorted((a, b) => b.value - a.value);
  const unit = 'functions';
  return [
    {
      name: 'walk-functions',
      value: entered.length,
      atMost: 110,
      unit,
      observed: 'entered by a proposal of a model',
    },
    { name: 'walk-files', value: files, atMost: 35, unit: 'files', observed: 'in which they stand' },
    ...inLib.map(({ lib, value }) => ({
      name: `walk-${lib}`,
      value,
      unit,
      observed: `of them in libs/${lib}`,
    })),
  ];
}
