import { reply, ScriptedWebhookServer } from '#lib/activities/testing';
import { startEngine, type TestEngine } from './engine.js';

const TOKEN = { webhookTokenName: 'TURNS_WEBHOOK_TOKEN' };
const SAID = { transitionName: 'turn', reasoning: 'It goes on as it went on before.' };

/** Two proposers, a function and a webhook, and an arbiter behind the same webhook. */
const machine = (strategyWebhookUrl: string) => ({
  machineName: 'turns',
  initialState: 'left',
  goalState: 'over',
  specialists: [
    { role: 'proposer', specialistId: 'function', strategyFnName: 'turn' },
    { role: 'proposer', specialistId: 'webhook', strategyWebhookUrl, ...TOKEN },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
    { role: 'arbiter', specialistId: 'judge', strategyWebhookUrl, ...TOKEN },
  ],
  states: {
    left: { prompt: 'Turn?', transitions: { turn: 'right', stop: 'over' } },
    right: { prompt: 'Turn?', transitions: { turn: 'left', stop: 'over' } },
    over: {},
  },
});

/** A session of many rounds in a real engine, with a real webhook. */
export interface LongSession {
  readonly engine: TestEngine;
  readonly hook: ScriptedWebhookServer;
  readonly sessionId: string;
  /** Of data and metadata of all events, for each round. */
  bytesOfRounds(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** @param isAsked whether the specialists are asked in a round, counted from 1; a person decides the others */
export async function playLongSession(
  rounds: number,
  isAsked: (round: number) => boolean,
): Promise<LongSession> {
  const hook = await ScriptedWebhookServer.start(({ body }) =>
    reply({ body: JSON.stringify(answerTo(body)) }),
  );
  const engine = await startEngine([], {
    strategies: { turn: () => SAID },
    webhooks: { privateAddresses: 'allow', tokens: { [TOKEN.webhookTokenName]: 'turns-canary-0123456789' } },
  });
  const { redial } = engine;
  await redial.defineMachine(machine(hook.url));
  const { sessionId } = await redial.createSession({ machineName: 'turns' });
  const asked = async () => {
    for (const specialistId of ['function', 'webhook'])
      await redial.submitProposal({ sessionId, specialistId });
    await redial.submitArbitration({ sessionId, specialistId: 'judge' });
  };
  const byPerson = () => redial.submitArbitration({ sessionId, specialistId: 'boss', ...SAID });
  for (let round = 1; round <= rounds; round++) await (isAsked(round) ? asked() : byPerson());
  const stop = async () => {
    await engine.stop();
    await hook.close();
  };
  return { engine, hook, sessionId, bytesOfRounds: () => bytesOfRounds(engine), stop };
}

type Told = { readonly proposals?: readonly { readonly proposalId: string }[] };

/** A choice; for an arbiter, which gets the proposals, the verdict for the first of them. */
function answerTo({ proposals }: Told): object {
  const [first] = proposals ?? [];
  return first
    ? { consensusReached: true, winningProposalId: first.proposalId, reasoning: 'The first.' }
    : SAID;
}

async function bytesOfRounds({ log }: TestEngine): Promise<readonly number[]> {
  const rounds: number[] = [];
  let bytes = 0;
  for (const { type, data, metadata } of await log.store.readAll({ limit: Number.MAX_SAFE_INTEGER })) {
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
    if (type !== 'TransitionExecuted') continue;
    rounds.push(bytes);
    bytes = 0;
  }
  return rounds;
}
