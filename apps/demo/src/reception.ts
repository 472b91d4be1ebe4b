import { join } from 'node:path';
import { type LlmScript, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import type { AgentInput } from '#lib/flows/core';
import type { Redial } from '#lib/engine';
import type { RedialOptions } from '#lib/engine/core';
import type { TurnView } from '#lib/flows';
import {
  chatLines,
  packageRoot,
  paintFor,
  printLines,
  readJsonFile,
  type Sink,
} from '../../cli/src/index.js';

/** The name of the scripted provider. */
export const RECEPTION = 'reception';

/** The functions of the agent and of its tool. */
export const receptionFunctions: NonNullable<RedialOptions['functions']> = {
  book_visit: () => ({ dataUpdate: { visitId: 'v-1042' } }),
};

const messages = [
  'Ina Weber, I was with you in May. Is the 2nd of March free?',
  'My chest hurts, I cannot breathe',
];

const noticed = (matched: boolean, reason: string) => text({ signals: { emergency: { matched, reason } } });
const replies: { readonly [purpose: string]: readonly ScriptedReply[] } = {
  extract: [text({ name: 'Ina Weber', isNewPatient: false, day: '2026-03-02' }), text({})],
  signals: [noticed(false, ''), noticed(true, 'chest pain')],
  route: [
    text({ intent: 'to book a visit', scores: { booking: 95, questions: 10 } }),
    text({ intent: 'help', scores: { booking: 10, questions: 20 } }),
  ],
  condition: [text({ result: false })],
  respond: [
    toolCall('book_visit', { name: 'Ina Weber', day: '2026-03-02' }),
    text({ message: 'Your visit on the 2nd of March is booked.' }),
  ],
};

/** Replies by the purpose of a call: calls of a turn run in parallel. */
export function receptionScript(): LlmScript {
  const left = new Map(Object.entries(replies).map(([purpose, list]) => [purpose, [...list]]));
  return ({ body }) => {
    const format = body['response_format'] as { readonly json_schema: { readonly name: string } };
    const { name } = format.json_schema;
    const next = left.get(name)?.shift();
    if (!next) throw new Error(`no reply is left for ${name}`);
    return next;
  };
}

/** Talks with the agent of examples/clinic.json, and prints the messages and events. @returns the id of the conversation */
export async function converse(redial: Redial, out: Sink, heading: string): Promise<string> {
  printLines(out, [
    '',
    paintFor(out)('bold', heading),
    'An agent (examples/clinic.json) takes a message a turn: it extracts data, chooses a flow, asks a tool that a person approves. Then a signal interrupts.',
  ]);
  const conversationId = await begin(redial);
  for (const said of messages) {
    printLines(out, [`> ${said}`]);
    const turn = show(out, await redial.sendMessage({ conversationId, text: said }));
    if (turn.status === 'waiting') show(out, await approve(redial, conversationId, turn));
  }
  return conversationId;
}

async function begin(redial: Redial): Promise<string> {
  const properties = { name: { type: 'string' }, day: { type: 'string' } };
  await redial.registerTool({
    toolId: 'book_visit',
    description: 'Books a visit',
    parameters: { type: 'object', properties, required: ['name', 'day'], additionalProperties: false },
    execution: { fnName: 'book_visit' },
    policy: { needsApproval: true },
  });
  const clinic = (await readJsonFile(join(packageRoot(), 'examples', 'clinic.json'))) as object;
  const agent = { ...clinic, model: `${RECEPTION}/gpt-4o-mini` };
  const { agentName } = await redial.defineAgent(agent as AgentInput);
  return (await redial.startConversation({ agentName })).conversationId;
}

function approve(redial: Redial, conversationId: string, { awaiting = [] }: TurnView): Promise<TurnView> {
  const [{ awaitId } = { awaitId: '' }] = awaiting;
  const answer = { conversationId, name: 'approval', awaitId, payload: { approved: true } };
  return redial.signalTurn(answer, { actor: 'receptionist' });
}

function show(out: Sink, turn: TurnView): TurnView {
  const said = turn.status === 'completed' ? [`< ${turn.message}`] : [];
  printLines(out, [...chatLines(turn), ...said]);
  return turn;
}
