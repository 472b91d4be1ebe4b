import { present } from '#lib/kernel';
import { shareOf } from '#lib/histories/core';
import { markdownRow } from '../format/markdown.js';
import { standingStillLines } from '../format/standing-still.js';
import { table } from '../format/table.js';
import { percent } from '../format/text.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { readObject } from '../input/read-json.js';
import { type Io, printLines, printResult } from '../io.js';
import { type AnswerOf, withOperations } from '../operations/call-operation.js';
import { wholeList } from '../operations/every-item.js';

interface SimulateOptions extends GlobalOptions, TokenOption {
  readonly consensusThreshold?: number;
  readonly quorum?: number;
  readonly trust?: string;
  readonly arbiter?: string;
  readonly scoringRule?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly markdown?: true;
}

type Item = AnswerOf<'simulateMachine'>['items'][number];

const OUTCOMES = { same: 'same', different: 'different', toPeople: 'to people', fromPeople: 'from people' };

/** Reads every page, and counts them together. */
export async function simulate(options: SimulateOptions, io: Io, machineName: string): Promise<void> {
  const { consensusThreshold, quorum, arbiter, scoringRule, from, to, limit, markdown, json } = options;
  const trust = readObject('--trust', options.trust);
  const given = present({ consensusThreshold, quorum, trust, arbiter, scoringRule, from, to });
  const whole = await withOperations('simulateMachine', options, io, (call) =>
    wholeList((page) => call('simulateMachine', { machineName, ...given, ...page }), limit),
  );
  const { items } = whole;
  const simulation = { ...countsOf(items), ...whole };
  if (markdown && !json) printLines(io.out, markdownLines(machineName, items));
  else printResult(io, json, simulation, () => simulationLines(items));
  if (!json) printLines(io.err, standingStillLines(whole));
}

function countsOf(items: readonly Item[]) {
  const counts = { rounds: items.length, same: 0, different: 0, toPeople: 0, fromPeople: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

/** The counts, each with its share and interval. */
function rowsOf(items: readonly Item[]) {
  const counts = countsOf(items);
  return Object.entries(OUTCOMES).map(([outcome, words]) => {
    const count = counts[outcome as Item['outcome']];
    const { share, low, high } = shareOf(count, counts.rounds);
    return { words, count, share: percent(share, 1), interval: `${percent(low, 1)} to ${percent(high, 1)}` };
  });
}

function changedRows(items: readonly Item[]) {
  return items
    .filter(({ outcome }) => outcome !== 'same')
    .map(({ sessionId, state, outcome, recorded, simulated }) => ({
      sessionId,
      state,
      outcome: OUTCOMES[outcome],
      recorded: `${recorded.transitionName} by ${recorded.decidedBy}`,
      simulated: simulated.transitionName ?? `people: ${simulated.reason ?? ''}`,
    }));
}

function simulationLines(items: readonly Item[]): readonly string[] {
  const counts = table(
    {
      rounds: (row) => row.words,
      count: (row) => row.count,
      share: (row) => row.share,
      '95 %': (row) => row.interval,
    },
    rowsOf(items),
  );
  const changed = changedRows(items);
  if (changed.length === 0) return counts;
  const listed = table(
    {
      session: (row) => row.sessionId,
      state: (row) => row.state,
      outcome: (row) => row.outcome,
      recorded: (row) => row.recorded,
      simulated: (row) => row.simulated,
    },
    changed,
  );
  return [...counts, '', ...listed];
}

function markdownLines(machineName: string, items: readonly Item[]): readonly string[] {
  const changed = changedRows(items).map((row) => markdownRow(Object.values(row)));
  const heading = markdownRow(['session', 'state', 'outcome', 'recorded', 'simulated']);
  return [
    `# Simulation of ${machineName}: ${items.length} rounds`,
    '',
    '| rounds | count | share | 95 % |',
    '| --- | ---: | ---: | --- |',
    ...rowsOf(items).map((row) => markdownRow(Object.values(row))),
    ...(changed.length > 0 ? ['', heading, '| --- | --- | --- | --- | --- |', ...changed] : []),
  ];
}
