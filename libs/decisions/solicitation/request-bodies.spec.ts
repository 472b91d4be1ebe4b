import { describe, expect, it } from '@jest/globals';
import { callsOf, ladder } from './testing/ladder.js';
import { decision, text, toolCall } from './testing/scripted-replies.js';
import { type LadderStart, plain } from './testing/ladder-start.js';

// A request body is part of the workflow: a change is a new version of the workflow.

const refund = { transitionName: 'refund', toState: 'refunded' };

function body(start: LadderStart, call = 0): string {
  const textOnly = start.transitions === plain || start.modelId !== undefined;
  const script = textOnly
    ? [decision(refund)]
    : call === 0
      ? [toolCall('escalate', {})]
      : [text('?'), decision(refund)];
  return JSON.stringify(callsOf(ladder(start).replies(...script))[call]?.requestBody, null, 1);
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'refund',
      description: 'Pay the money back',
      parameters: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'escalate',
      description: 'Ask a person',
      parameters: { type: 'object', properties: {} },
    },
  },
];

const toolSystem =
  'You decide the next step of a process. Choose exactly one of the tools and call it with the arguments it asks for. ' +
  'Say in a sentence why, in the content of your message.';
const textSystem =
  'You decide the next step of a process. Answer with one JSON object and nothing else: no prose around it, no code fence.';
const shape = '{"transitionName": "<name>", "toState": "<target>", "reasoning": "<why>"}';

function written(model: string, system: string, user: string, more: object = {}): string {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return JSON.stringify({ model, messages, temperature: 0, ...more }, null, 1);
}

describe('the request body', () => {
  it('D-28: of the tools rung is exactly this, in this order', () => {
    expect(body({})).toBe(
      written('gpt-test', toolSystem, 'What next?\n\nTicket 7', { tools, tool_choice: 'auto' }),
    );
  });

  it('D-28: of the tools rung has the context alone when there is no prompt', () => {
    expect(body({ prompt: '' })).toBe(
      written('gpt-test', toolSystem, 'Ticket 7', { tools, tool_choice: 'auto' }),
    );
  });

  const user = [
    'Current state: triage',
    'What next?',
    'Transitions (name → target):\n- refund → refunded: Pay the money back\n- escalate → escalated: Ask a person',
    'Ticket 7',
    `Answer with JSON of this shape:\n${shape}`,
  ];
  const withArguments = [
    ...user.slice(0, -1),
    'Arguments of transitions, as JSON Schema:\n- refund: {"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"],"additionalProperties":false}',
    'Answer with JSON of this shape; metaJson holds the arguments, and is left out for a transition without any:\n{"transitionName": "<name>", "toState": "<target>", "reasoning": "<why>", "metaJson": {<arguments>}}',
  ];

  it('0.2-V3, D-31: of the text rung is exactly this, in this order, with the arguments of each transition that takes some', () => {
    expect(body({}, 1)).toBe(written('gpt-test', textSystem, withArguments.join('\n\n')));
    expect(body({ modelId: 'gpt-test[tools=no]' })).toBe(body({}, 1));
  });

  it('of the text rung leaves out the prompt and the context where they are empty', () => {
    const bare = [
      'Current state: triage',
      'Transitions (name → target):\n- refund → refunded\n- escalate → escalated',
    ];
    expect(body({ transitions: plain, prompt: '', context: { contextTemplate: '' } })).toBe(
      written('gpt-test', textSystem, [...bare, `Answer with JSON of this shape:\n${shape}`].join('\n\n')),
    );
  });

  it('of a mixed state lists the transitions without a tool in the system message', () => {
    const transitions = {
      ask: { target: 'asked', description: '' },
      wait: 'waiting',
      park: { target: 'parked' },
    };
    const events = ladder({ transitions }).replies(toolCall('ask', {}));
    expect(callsOf(events)[0]?.requestBody['messages']).toMatchObject([
      {
        content: [
          toolSystem,
          '',
          'These steps have no tool. To choose one of them, call none, and answer with JSON of this shape only:',
          shape,
          '- wait → waiting',
          '- park → parked',
        ].join('\n'),
      },
      {},
    ]);
  });

  it('keeps transitions with hostile names, in their order', () => {
    const transitions = Object.fromEntries([
      ['__proto__', { target: 'a', description: 'odd' }],
      ['constructor', { target: 'b' }],
    ]);
    const events = ladder({ transitions }).replies(toolCall('__proto__', {}));
    expect(callsOf(events)[0]?.requestBody).toMatchObject({
      messages: [{ content: expect.stringMatching(/\n- constructor → b$/) }, {}],
      tools: [{ function: { name: '__proto__' } }],
    });
  });

  it('D-28: goes to the chat completions of the base URL, with the time limit of the start event', () => {
    const [call] = callsOf(ladder().replies(toolCall('escalate', {})));
    expect(call).toMatchObject({ url: 'https://llm.test/v1/chat/completions', timeoutMs: 30_000 });
  });
});

describe('settings of the model', () => {
  const replied = [toolCall('escalate', {})];
  const sent = (start: LadderStart) => callsOf(ladder(start).replies(...replied))[0]?.requestBody;

  it('are sent as the API names them, in place of temperature 0', () => {
    const modelParameters = {
      temperature: 0.7,
      topP: 0.9,
      seed: 7,
      maxTokens: 100,
      maxTokensField: 'max_completion_tokens',
      reasoningEffort: 'low',
      toolChoice: 'required',
      parallelToolCalls: false,
      stop: ['END'],
      extraBody: { user: 'u-1' },
    } as const;
    expect(sent({ modelParameters })).toMatchObject({
      temperature: 0.7,
      top_p: 0.9,
      seed: 7,
      max_completion_tokens: 100,
      reasoning_effort: 'low',
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: ['END'],
      user: 'u-1',
    });
  });

  it('leave temperature out where it is null, and keep 0 where it is not given', () => {
    expect(sent({ modelParameters: { temperature: null } })).not.toHaveProperty('temperature');
    expect(sent({ modelParameters: { seed: 1 } })).toMatchObject({ temperature: 0, seed: 1 });
  });

  it('replace the text of the system message, rendered over the context', () => {
    const systemPrompt = 'You are at {{machineName}}, {{currentState}}.';
    expect(sent({ systemPrompt })).toMatchObject({
      messages: [{ role: 'system', content: 'You are at support, triage.' }, {}],
    });
    const plainText = { transitions: plain, systemPrompt };
    const [call] = callsOf(ladder(plainText).replies(decision(refund)));
    expect(call?.requestBody).toMatchObject({ messages: [{ content: 'You are at support, triage.' }, {}] });
  });
});
