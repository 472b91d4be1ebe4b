import { Query } from '@nestjs/cqrs';
import { trustSchema, type TrustPolicy, unknownMachine } from '#lib/decisions/machines';
import { builtInArbiters } from '#lib/decisions/session';
import { EventLog } from '#lib/event-store';
import { answeredBy, checkRole, currentContext, input, is, Operation, ReadModels } from '#lib/operations';
import { isKnownMachine } from '#lib/read-models';
import { simulatePage } from './simulate-page.js';
import { Simulation } from './simulation.views.js';

/** The most rounds of a page. Large pages keep the process busy: only operators may ask for them. */
const MOST_ROUNDS = 100_000;
const VIEWERS_ROUNDS = 500;

@Operation({
  summary:
    'Decide recorded rounds again under other settings, with the recorded proposals and alignment; no model is asked, and nothing is written',
  http: 'POST /v1/machines/:machineName/simulations',
  access: 'viewer',
  answers: { 200: Simulation },
})
export class SimulateMachine extends input(Query<Simulation>, {
  machineName: is.nameOf(unknownMachine),
  consensusThreshold: is.share.optional.about(
    'In every state, in place of those of the definition and its arbiters',
    {
      example: 0.6,
    },
  ),
  quorum: is.whole(1).optional.about('In every state', { example: 2 }),
  trust: is
    .fitting<TrustPolicy>(trustSchema)
    .optional.about('In every state, in place of the trust of the definition and its arbiters', {
      example: { minComparisons: 10 },
    }),
  arbiter: is
    .oneOf(Object.keys(builtInArbiters))
    .optional.about('A built-in arbiter, in place of the arbiter of each state', {
      example: 'alignmentMargin',
    }),
  scoringRule: is.text.optional.about(
    '`wilson` or `ratio`, with `;halfLife=<comparisons>`: scores the comparisons that were known then',
    {
      example: 'ratio',
    },
  ),
  from: is.time.optional.about('Rounds that were decided at or after this time'),
  to: is.time.optional.about('Rounds that were decided before this time'),
  limit: is
    .whole(1, MOST_ROUNDS)
    .optional.about(`Rounds at most; an operator may ask for more than ${VIEWERS_ROUNDS}`, {
      default: VIEWERS_ROUNDS,
    }),
  cursor: is.text.optional.about('`nextCursor` of the page before'),
}) {}

export const SimulateMachineHandler = answeredBy(
  SimulateMachine,
  [ReadModels, EventLog],
  async (query, rows, log) => {
    const { machineName, limit = VIEWERS_ROUNDS } = query;
    if (limit > VIEWERS_ROUNDS) checkRole(currentContext().role, 'operator');
    return rows.ask(['machines', 'sessions', 'specialists', 'alignment'], async (db) => {
      if (!(await isKnownMachine(db, machineName))) return unknownMachine(machineName);
      return simulatePage({ db, log }, query, { limit, mostRounds: MOST_ROUNDS });
    });
  },
);
