import { httpError, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';

/** A session of the demo. */
export interface Scenario {
  readonly title: string;
  /** A hint for the reader, for scripted models. */
  readonly watch: string;
  /** Default: `refunds`. */
  readonly machineName?: string;
  /** The subject of the session. */
  readonly metaJson: JsonObject & { readonly customer: string; readonly text: string };
  /** The scripted model's replies, call by call; none if a person decides. */
  readonly replies: readonly ScriptedReply[];
  /** The replies of other providers, by name: only a scripted model plays it. */
  readonly elsewhere?: { readonly [provider: string]: readonly ScriptedReply[] };
  /** The choice of a person in the first state. */
  readonly person?: {
    readonly specialistId: string;
    readonly transitionName: string;
    readonly reasoning: string;
    readonly metaJson: JsonObject;
  };
}

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  usage: { prompt_tokens, completion_tokens },
  model: 'gpt-4o-mini-scripted',
});

/** The replies of the scripted default provider, in the order of the demo's calls. */
export function script(): readonly ScriptedReply[] {
  return scenarios.flatMap(({ replies }) => replies);
}

/** The scripts of the other providers, by name. */
export function otherScripts(): readonly (readonly [provider: string, script: readonly ScriptedReply[]])[] {
  return scenarios.flatMap(({ elsewhere = {} }) => Object.entries(elsewhere));
}

export const scenarios: readonly Scenario[] = [
  {
    title: 'A tool call',
    watch: 'The model calls a transition as a tool, and its arguments are kept with the decision.',
    metaJson: { customer: 'Ada', orderTotal: 40, text: 'The cup arrived in two pieces.' },
    replies: [toolCall('approve', { amount: 40, reason: 'Broken on arrival' }, usage(412, 21))],
  },
  {
    title: 'A decision in the text',
    watch:
      'The model calls no tool but writes its decision as JSON: it is read from the same reply, without another call.',
    metaJson: { customer: 'Ben', orderTotal: 15, text: 'I changed my mind, eleven months ago.' },
    replies: [
      text(
        { transitionName: 'deny', toState: 'closed', reasoning: 'Far beyond the 30 days.' },
        usage(405, 34),
      ),
    ],
  },
  {
    title: 'A fallback to a second call',
    watch:
      'The reply is prose. The ladder steps down, asks again in text mode; then the session waits for a person, whose task is due in four hours: its clock is a run that is not finished yet.',
    metaJson: { customer: 'Cleo', orderTotal: 2300, text: 'Refund the sofa or hear from my lawyer!' },
    replies: [
      text('This looks like something a colleague should look at.', usage(418, 12)),
      text(
        { transitionName: 'escalate', toState: 'review', reasoning: 'A threat, and above the limit.' },
        usage(530, 38),
      ),
    ],
  },
  {
    title: 'Arguments that do not fit',
    watch:
      'The model wants to pay more than the schema allows. It is shown the error once, and corrects itself.',
    metaJson: { customer: 'Dan', orderTotal: 620, text: 'One of the two lamps never came.' },
    replies: [
      toolCall('approve', { amount: 620, reason: 'Lamp missing' }, usage(409, 20)),
      toolCall('approve', { amount: 310, reason: 'One of two lamps missing' }, usage(498, 23)),
    ],
  },
  {
    title: 'A provider that fails',
    watch:
      'HTTP 500, three times: the call is made again twice. There is no proposal, so the session waits for a person.',
    metaJson: { customer: 'Eve', orderTotal: 90, text: 'Wrong size.' },
    replies: Array.from({ length: 3 }, () =>
      httpError(500, { error: { message: 'The server had an error.' } }),
    ),
  },
  {
    title: 'A person decides',
    watch: 'No model is asked: a person submits a proposal. It is recorded and replayed like any other.',
    metaJson: { customer: 'Finn', orderTotal: 25, text: 'The tea smells of soap.' },
    replies: [],
    person: {
      specialistId: 'refund-lead',
      transitionName: 'approve',
      reasoning: 'Known problem with this batch.',
      metaJson: { amount: 25, reason: 'Soapy tea' },
    },
  },
  {
    title: 'A clerk with tools',
    watch:
      'The proposer is the workflow planner (examples/orders.json). It looks the order up, then asks to pay money back: a person approves that call. Then it chooses a transition.',
    machineName: 'orders',
    metaJson: { customer: 'Gwen', order: 1042, text: 'Two of the six cups are cracked.' },
    replies: [
      toolCall('find_order', { order: 1042 }, usage(388, 17)),
      toolCall('pay_back', { order: 1042, amount: 18 }, usage(461, 22)),
      toolCall(
        'settle',
        { paidBack: 18, letter: 'Two of six cups: 18 are on their way to you.' },
        { ...usage(519, 41), content: 'A third of the price for a third of the cups.' },
      ),
    ],
  },
  {
    title: 'Three models on three providers',
    watch:
      'Three proposals are needed (examples/panel.json). The provider west is down: the backup model of its proposer is asked.',
    machineName: 'panel',
    metaJson: { customer: 'Hana', text: 'The handle of my cup came off.' },
    replies: [],
    elsewhere: {
      north: [toolCall('repair', {}, { ...usage(120, 9), content: 'A handle can be glued.' })],
      south: [toolCall('repair', {}, usage(118, 8)), toolCall('replace', {}, usage(118, 8))],
      west: [httpError(503, { error: { message: 'Down for maintenance.' } })],
    },
  },
];
