import { choice, flag, json, list, number, object, ref, text, time, uuid, whole } from './schema.js';

const numberOrNull = { type: ['number', 'null'] };
const scores = list(object({ specialistId: text, specialistVersion: whole, score: number }));
const alignmentItem = object({
  specialistId: text,
  specialistVersion: whole,
  'state?': text,
  matchingChoices: number,
  totalComparisons: number,
  alignmentScore: number,
});
const proposalRef = object({
  proposalId: uuid,
  specialistId: text,
  specialistVersion: whole,
  isHuman: flag,
  transitionName: text,
});
const amount = object({ currency: text, amount: number });

const counts = {
  totalDecisions: whole,
  humanDecisions: whole,
  agreedDecisions: whole,
  aiDecisions: whole,
  operatorDecisions: whole,
  collapseRatio: number,
  meanMargin: numberOrNull,
};

export const monitoringSchemas = {
  CollapseMetrics: object({
    machineName: text,
    ...counts,
    recentCollapseRatio: number,
    states: list(object({ state: text, ...counts })),
    alignment: list(alignmentItem),
    specialists: list(
      object({
        specialistId: text,
        isHuman: flag,
        totalProposals: whole,
        winningProposals: whole,
        winRate: number,
      }),
    ),
    signals: list(
      object({
        code: choice(
          'COLD_START',
          'SINGLE_SPECIALIST',
          'LOW_ALIGNMENT',
          'FEW_COMPARISONS',
          'THIN_MARGIN',
          'FULL_COLLAPSE',
          'ALIGNMENT_PLATEAU',
        ),
        level: choice('action', 'warning', 'info'),
        text,
      }),
    ),
  }),
  Decision: object({
    sessionId: uuid,
    machineName: text,
    revision: whole,
    position: text,
    roundId: text,
    fromState: text,
    toState: text,
    transitionName: text,
    how: choice('consensus', 'override', 'operator'),
    isHuman: flag,
    'arbiterId?': text,
    'specialistId?': text,
    'winningProposalId?': uuid,
    reasoning: text,
    proposals: list(proposalRef),
    'alignment?': object({ rule: text, ruleVersion: whole, 'position?': text, scores }),
    margin: numberOrNull,
    'threshold?': number,
    decidedAt: time,
  }),
  MachineAlignment: object({
    items: list(alignmentItem),
    rule: text,
    ruleVersion: whole,
    'position?': text,
  }),
  Exemplar: object({
    sessionId: uuid,
    roundId: text,
    machineName: text,
    state: text,
    specialistId: text,
    transitionName: text,
    toState: text,
    reasoning: text,
    'metaJson?': json,
    context: json,
    proposals: list(json),
    decidedAt: time,
  }),
  InboxItem: object({
    sessionId: uuid,
    machineName: text,
    roundId: text,
    currentState: text,
    prompt: text,
    transitions: json,
    'metaJson?': json,
    reason: choice('no-proposals', 'no-arbiter', 'no-consensus', 'arbiter-failed', 'cannot-ask'),
    detail: text,
    since: time,
    proposals: list(ref('Proposal')),
  }),
  ModelStatistics: object({
    items: list(
      object({
        model: text,
        'day?': text,
        calls: whole,
        failedCalls: whole,
        toolCallRate: numberOrNull,
        solicitations: whole,
        fallbacks: whole,
        meanFallbackDepth: number,
        maxFallbackDepth: whole,
        malformedArguments: whole,
        invalidArguments: whole,
        inputTokens: whole,
        outputTokens: whole,
        meanDurationMs: numberOrNull,
        latencyMs: { ...object({ p50: number, p95: number, p99: number }), type: ['object', 'null'] },
        costs: list(amount),
        unpricedCalls: whole,
      }),
    ),
  }),
};
