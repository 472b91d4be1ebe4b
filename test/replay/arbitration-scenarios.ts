import { httpError, reply, type ScriptedReply } from '#lib/activities/testing';
import type { Redial, RedialOptions } from '#lib/engine';
import type { Scenario } from './scenarios.js';

const machine = {
  machineName: 'returns',
  initialState: 'opened',
  goalState: 'closed',
  consensusThreshold: 0.5,
  states: {
    opened: { prompt: 'Take it back?', transitions: { accept: 'closed', refuse: 'closed', ask: 'asked' } },
    asked: { transitions: { close: 'closed' } },
    closed: {},
  },
};

type Arbiter = Omit<Parameters<Redial['registerArbiter']>[0], 'specialistId' | 'machineName'>;

async function open(redial: Redial, arbiter: Arbiter): Promise<string> {
  await redial.defineMachine(machine);
  const base = { machineName: 'returns' };
  for (const specialistId of ['rule', 'other'])
    await redial.registerProposer({ ...base, specialistId, strategyFnName: 'firstAvailable' });
  await redial.registerProposer({ ...base, specialistId: 'anna', isHuman: true });
  await redial.registerArbiter({ ...base, specialistId: 'judge', ...arbiter });
  return (await redial.createSession({ machineName: 'returns', metaJson: { text: 'Too small' } })).sessionId;
}

/** Both propose, and after each of them the arbiter is asked, until it decides. */
async function playJudged(redial: Redial, arbiter: Arbiter): Promise<string> {
  const sessionId = await open(redial, arbiter);
  for (const specialistId of ['rule', 'other']) {
    await redial.submitProposal({ sessionId, specialistId, transitionName: 'ask' });
    const said = { sessionId, reasoning: 'the caller says so' };
    const result = await redial.submitArbitration(said).catch(() => undefined);
    if (result?.executed) break;
  }
  return sessionId;
}

function judged(name: string, arbiter: Arbiter, options?: RedialOptions): Scenario {
  return {
    name,
    replies: [],
    ...(options && { options }),
    play: (redial) => playJudged(redial, arbiter),
  };
}

/** Where the arbiter is asked twice, its webhook answers twice; an answer that is asked for again counts as one more. */
function judgedByWebhook(name: string, hooks: readonly ScriptedReply[], maxAttempts = 1): Scenario {
  return {
    name,
    replies: [],
    hooks,
    options: { webhooks: { privateAddresses: 'allow', maxAttempts } },
    play: (redial, strategyWebhookUrl = '') =>
      playJudged(redial, { strategyWebhookUrl, webhookTokenName: 'WEBHOOK_TOKEN' }),
  };
}

const verdict = (said: object) => reply({ body: JSON.stringify(said) });
const none = { consensusReached: false, reasoning: 'One is not enough.', margin: 0 };

async function playOverride(redial: Redial): Promise<string> {
  const sessionId = await open(redial, { strategyFnName: 'alignmentMargin' });
  await redial.submitProposal({ sessionId, specialistId: 'rule', transitionName: 'accept' });
  await redial.submitProposal({ sessionId, specialistId: 'other', transitionName: 'refuse' });
  await redial.submitArbitration({ sessionId });
  const forced = { specialistId: 'anna', transitionName: 'ask', reasoning: 'I know better' };
  await redial.submitArbitration({ sessionId, ...forced, metaJson: { by: 'anna' } });
  return sessionId;
}

async function playNobodyLeft(redial: Redial): Promise<string> {
  const sessionId = await open(redial, { strategyFnName: 'alignmentMargin' });
  for (const specialistId of ['rule', 'other']) await redial.disableSpecialist({ specialistId });
  await redial.tickSession({ sessionId });
  return sessionId;
}

/** Between them they have every event of arbiters and of people. */
export const arbitrationScenarios: readonly Scenario[] = [
  judged('arbiter-built-in', { strategyFnName: 'firstProposal' }),
  judged(
    'arbiter-function',
    { strategyFnName: 'both' },
    {
      arbiters: {
        both: ({ proposals: [first, second] }) =>
          first && second
            ? { consensusReached: true, winningProposalId: first.proposalId, reasoning: 'Both say so.' }
            : none,
      },
    },
  ),
  judged(
    'arbiter-function-throws',
    { strategyFnName: 'out' },
    {
      arbiters: {
        out: () => {
          throw new Error('the judge is out');
        },
      },
    },
  ),
  judgedByWebhook('arbiter-webhook-retried', [httpError(503, 'soon'), verdict(none), verdict(none)], 2),
  judgedByWebhook('arbiter-webhook-off-the-map', [
    verdict({ consensusReached: true, winningProposalId: 'nobody' }),
    verdict({ consensusReached: true }),
  ]),
  { name: 'human-override', replies: [], play: playOverride },
  { name: 'needs-human', replies: [], play: playNobodyLeft },
];
