import {
  droppedConnection,
  httpError,
  reply,
  type ScriptedReply,
  text,
  toolCall,
} from '#lib/activities/testing';
import type { Redial, RedialOptions } from '#lib/engine';
import { arbitrationScenarios } from './arbitration-scenarios.js';
import { peopleScenarios } from './people-scenarios.js';

/** A session to record: what the model answers, and what is asked of the engine. Between them they walk every rung and every closing. */
export interface Scenario {
  readonly name: string;
  readonly replies: readonly ScriptedReply[];
  /** The answers of a webhook; it exists where these are given. */
  readonly hooks?: readonly ScriptedReply[];
  readonly options?: RedialOptions;
  /** @returns the session it was about */
  readonly play: (redial: Redial, webhookUrl?: string) => Promise<string>;
  /** Evaluates somebody against what was decided in it. @returns the evaluation */
  readonly evaluate?: (redial: Redial) => Promise<string>;
}

const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };

export const machine = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: {
    triage: {
      prompt: 'What should happen with this request?',
      transitions: {
        approve: { target: 'closed', description: 'Pay the money back', parameters: amount },
        correct: {
          target: 'triage',
          description: 'Change the amount',
          parameters: amount,
          onInvalidArguments: 'reask',
        },
        deny: { target: 'closed', parameters: amount, onInvalidArguments: 'reject' },
        escalate: 'review',
      },
    },
    review: { prompt: 'And now?', transitions: { close: 'closed', back: 'triage' } },
    closed: {},
  },
} as const;

const model = {
  machineName: 'refunds',
  contextTemplate: 'Request: {{metaJson.text}}{{#history}} {{toState}}{{/history}}',
};

async function open(redial: Redial): Promise<string> {
  await redial.defineMachine(machine);
  await registerProposers(redial);
  const metaJson = { text: 'Broken cup ☕', items: [1, 'b', null] };
  return (await redial.createSession({ machineName: 'refunds', metaJson })).sessionId;
}

async function registerProposers(redial: Redial): Promise<void> {
  await redial.registerProposer({ ...model, specialistId: 'clerk', modelId: 'gpt-4o-mini' });
  await redial.registerProposer({ ...model, specialistId: 'writer', modelId: 'gpt-4o-mini[tools=no]' });
  await redial.registerProposer({
    specialistId: 'rule',
    machineName: 'refunds',
    strategyFnName: 'lastAvailable',
  });
  await redial.registerProposer({ specialistId: 'anna', machineName: 'refunds', isHuman: true });
}

/** Proposers by function: only where the scenario registers the functions. */
async function registerByFunction(redial: Redial, specialistId: string): Promise<void> {
  const modelId = 'gpt-4o-mini';
  const base = { specialistId, machineName: 'refunds' };
  if (specialistId === 'reader')
    await redial.registerProposer({ ...base, contextFnName: 'archive', modelId });
  if (specialistId === 'blind')
    await redial.registerProposer({ ...base, contextFnName: 'closedArchive', modelId });
  if (specialistId === 'broken') await redial.registerProposer({ ...base, strategyFnName: 'fails' });
}

/** Proposers behind webhooks: only where the scenario has one. */
async function registerByWebhook(redial: Redial, specialistId: string, url: string): Promise<void> {
  const base = { specialistId, machineName: 'refunds', webhookTokenName: 'WEBHOOK_TOKEN' };
  if (specialistId === 'remote') await redial.registerProposer({ ...base, strategyWebhookUrl: url });
  else await redial.registerProposer({ ...base, contextWebhookUrl: url, modelId: 'gpt-4o-mini' });
}

async function ask(redial: Redial, sessionId: string, specialistId = 'clerk'): Promise<void> {
  await redial.submitProposal({ sessionId, specialistId }).catch(() => undefined);
}

function asked(
  name: string,
  replies: readonly ScriptedReply[],
  specialistId = 'clerk',
  options?: RedialOptions,
): Scenario {
  return {
    name,
    replies,
    ...(options && { options }),
    play: async (redial) => {
      const sessionId = await open(redial);
      await registerByFunction(redial, specialistId);
      await ask(redial, sessionId, specialistId);
      return sessionId;
    },
  };
}

function hooked(
  name: string,
  hooks: readonly ScriptedReply[],
  specialistId: 'remote' | 'informed',
  replies: readonly ScriptedReply[] = [],
): Scenario {
  return {
    name,
    replies,
    hooks,
    options: { webhooks: { privateAddresses: 'allow', maxAttempts: hooks.length } },
    play: async (redial, webhookUrl = '') => {
      const sessionId = await open(redial);
      await registerByWebhook(redial, specialistId, webhookUrl);
      await ask(redial, sessionId, specialistId);
      return sessionId;
    },
  };
}

const usage = { usage: { prompt_tokens: 31, completion_tokens: 7 } };
const decision = (name: string, toState: string, more = {}) =>
  text(JSON.stringify({ transitionName: name, toState, reasoning: 'because', ...more }), usage);

/** A proposer with a budget is asked in two rounds: the second call may exceed it. */
async function playBudget(redial: Redial): Promise<string> {
  const sessionId = await open(redial);
  const budget = { maxTokens: 5_000, per: 'session' } as const;
  const settings = { modelId: 'gpt-4o-mini', modelParameters: { maxTokens: 4_000 }, budget };
  await redial.registerProposer({ ...model, ...settings, specialistId: 'saver' });
  await ask(redial, sessionId, 'saver');
  const forced = { sessionId, specialistId: 'anna', reasoning: 'look' };
  await redial.submitArbitration({ ...forced, transitionName: 'correct', metaJson: { amount: 4 } });
  await ask(redial, sessionId, 'saver');
  return sessionId;
}

/** A proposer is asked for structured output, and its provider does not know it. */
async function playStructured(redial: Redial): Promise<string> {
  const sessionId = await open(redial);
  const settings = { modelId: 'gpt-4o-mini', modelParameters: { responseFormat: 'json_schema' } } as const;
  await redial.registerProposer({ ...model, ...settings, specialistId: 'formal' });
  await ask(redial, sessionId, 'formal');
  return sessionId;
}

/** A person decides twice in one session. */
async function playDecisions(redial: Redial): Promise<string> {
  const sessionId = await open(redial);
  const forced = { sessionId, specialistId: 'anna', reasoning: 'look' };
  await redial.submitArbitration({ ...forced, transitionName: 'correct', metaJson: { amount: 4 } });
  await redial.submitArbitration({ ...forced, transitionName: 'approve', metaJson: { amount: 4 } });
  return sessionId;
}

async function evaluateClerk(redial: Redial): Promise<string> {
  const evaluation = await redial.evaluateSpecialist({ specialistId: 'clerk', against: 'exemplars' });
  return 'evaluationId' in evaluation ? evaluation.evaluationId : '';
}

async function playWholeProcess(redial: Redial): Promise<string> {
  const sessionId = await open(redial);
  const first = await redial.submitProposal({
    sessionId,
    specialistId: 'clerk',
    reasoning: 'the caller says so',
  });
  const { roundId } = first;
  await redial.submitProposal({
    sessionId,
    specialistId: 'anna',
    transitionName: 'escalate',
    reasoning: 'I want to see it',
  });
  await redial.executeTransition({
    sessionId,
    transitionName: 'escalate',
    toState: 'review',
    metaJson: { by: 'lead' },
  });
  await redial.submitProposal({ sessionId, specialistId: 'rule', roundId, transitionName: 'approve' });
  const { proposalId, transitionName, toState } = await redial.submitProposal({
    sessionId,
    specialistId: 'rule',
  });
  await redial.executeTransition({ sessionId, transitionName, toState, proposalId });
  await redial.submitProposal({ sessionId, specialistId: 'anna', roundId, transitionName: 'deny' });
  return sessionId;
}

const answer = (body: object | string) => reply({ body: JSON.stringify(body) });

const fails = () => {
  throw new Error('the archive is closed');
};
const functions: RedialOptions = {
  contexts: { archive: ({ currentState }) => `In ${currentState}.`, closedArchive: fails },
  strategies: { fails },
};

export const scenarios: readonly Scenario[] = [
  asked('tool-call', [toolCall('approve', { amount: 12.5 }, { content: 'It is broken.', ...usage })]),
  asked('tool-call-without-arguments', [toolCall('approve', {})]),
  asked('unknown-tool', [toolCall('burn', { all: true })]),
  asked('decision-in-text', [decision('escalate', 'review', { metaJson: { why: ['a', 'b'] } })]),
  asked('decision-elsewhere', [decision('escalate', 'closed')]),
  asked('text-fallback', [text('I would escalate.', usage), decision('escalate', 'review')]),
  asked('text-fallback-unreadable', [text('Hm.'), text('Hm again.')]),
  asked('partial-decision', [text('{"transitionName":"escalate"}'), decision('approve', 'closed')]),
  asked('tools-off', [decision('escalate', 'review')], 'writer'),
  asked(
    'text-reask',
    [
      decision('correct', 'triage', { metaJson: { amount: 'much' } }),
      decision('correct', 'triage', { metaJson: { amount: 3 } }),
    ],
    'writer',
  ),
  asked('http-error', [httpError(500, 'down')]),
  asked('retried', [httpError(429, 'slow down'), toolCall('approve', { amount: 1 })], 'clerk', {
    llm: { maxAttempts: 2 },
  }),
  {
    name: 'budget',
    replies: [toolCall('correct', { amount: 3 }, { usage: { prompt_tokens: 900, completion_tokens: 100 } })],
    play: playBudget,
  },
  {
    name: 'structured',
    replies: [
      httpError(400, { error: { param: 'response_format', message: 'Unknown parameter' } }),
      decision('escalate', 'review'),
    ],
    play: playStructured,
  },
  asked('reask', [toolCall('correct', { amount: 'much' }), toolCall('correct', { amount: 3 })]),
  asked('rejected-arguments', [toolCall('deny', { amount: 'none' })]),
  asked('built-in-strategy', [], 'rule'),
  asked('dropped-connection', [droppedConnection()]),
  asked('context-function', [toolCall('approve', { amount: 2 })], 'reader', functions),
  asked('failing-context-function', [], 'blind', functions),
  asked('failing-strategy', [], 'broken', functions),
  hooked('strategy-webhook', [answer({ transitionName: 'escalate', metaJson: { a: [1] } })], 'remote'),
  hooked('strategy-webhook-off-the-map', [answer({ transitionName: 'burn' })], 'remote'),
  hooked('strategy-webhook-retried', [droppedConnection(), httpError(503, 'soon'), answer('?')], 'remote'),
  hooked('strategy-webhook-later', [reply({ status: 202 })], 'remote'),
  hooked('context-webhook', [answer('It broke.')], 'informed', [toolCall('approve', { amount: 2 })]),
  hooked('context-webhook-elsewhere', [reply({ status: 302, headers: { location: '/' } })], 'informed'),
  ...arbitrationScenarios,
  ...peopleScenarios,
  {
    name: 'evaluation',
    replies: [toolCall('correct', { amount: 5 }, usage), httpError(500, 'down')],
    play: playDecisions,
    evaluate: evaluateClerk,
  },
  { name: 'whole-process', replies: [toolCall('correct', { amount: 4 })], play: playWholeProcess },
];
