import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { plainJson } from '#lib/activities';
import type { AgentInput } from '../agent/agent-definition.js';
import { conversationWith, type ScriptedAnswers } from '../testing/story.js';
import { schema } from '../testing/booking.js';
import type { TurnResult } from './turn-result.js';

/** Every place of an agent where a function answers, each with the name of its place. */
const agent: Omit<AgentInput, 'agentName' | 'model'> = {
  schema,
  hooks: {
    onEnter: { fn: 'agent.onEnter' },
    beforeRespond: { fn: 'beforeRespond' },
    onDataUpdate: { fn: 'onDataUpdate' },
    onContextUpdate: { fn: 'onContextUpdate' },
  },
  signals: [
    { id: 'pre', phase: 'pre', handler: { fn: 'signal.pre' }, behavior: 'once' },
    { id: 'post', phase: 'post', handler: { fn: 'signal.post' }, behavior: 'once' },
  ],
  flows: [
    {
      id: 'f',
      title: 'F',
      requiredFields: ['name'],
      hooks: { onEnter: { fn: 'flow.onEnter' }, onComplete: { fn: 'onComplete' }, onExit: { fn: 'onExit' } },
      steps: [
        {
          id: 's',
          collect: ['day'],
          hooks: {
            onEnter: { fn: 'step.onEnter' },
            prepare: { fn: 'prepare' },
            finalize: { fn: 'finalize' },
          },
        },
      ],
    },
  ],
};
const BEFORE = ['agent.onEnter', 'flow.onEnter', 'step.onEnter', 'prepare'];
const AFTER = ['finalize', 'onComplete', 'signal.pre', 'signal.post'];
const OBSERVERS = ['onExit', 'onContextUpdate'];
const CHANGING = ['beforeRespond', 'onDataUpdate'];
const ALL = [...BEFORE, ...AFTER, ...OBSERVERS, ...CHANGING];

/** The result of a function as the activity records it. */
function recorded(value: unknown): Json | Error {
  try {
    return plainJson(value);
  } catch (error) {
    return error as Error;
  }
}

/** A first turn with a call of every function of the agent. All but one return no value. */
function turnWith(place: string, value: unknown) {
  const silent: ScriptedAnswers = Object.fromEntries(ALL.map((name) => [name, null]));
  const tool = { calls: [['note', {}]] };
  const story = conversationWith({ ...agent, tools: ['note'] });
  const end = story.run('x', {
    ...silent,
    route: { intent: 'x', scores: { f: 90 } },
    respond: [tool, { message: 'ok' }],
    note: { tool: { contextUpdate: { noted: true }, dataUpdate: { name: 'Ann' } } },
    [place]: recorded(value),
  });
  return { end, story, result: end.result as object as TurnResult };
}

const chainOf = (result: TurnResult) => result.directiveChain.filter(({ refused }) => refused !== undefined);

describe('what a function of an agent answers', () => {
  const quiet = turnWith('onExit', null);

  it.each(ALL)(
    '0.2-V1: nothing, undefined and {} are the same at %s, and all functions are called',
    (place) => {
      for (const value of [undefined, null, {}, { goTo: undefined }]) {
        const { end, story } = turnWith(place, value);
        const isContext = place === 'beforeRespond' && value !== undefined && value !== null;
        expect(isContext ? { ...end, result: null } : end).toEqual(
          isContext ? { ...quiet.end, result: null } : quiet.end,
        );
        expect(new Set(story.asked)).toEqual(new Set([...ALL, 'extract', 'route', 'respond', 'note']));
      }
    },
  );

  it.each([...BEFORE, ...AFTER])(
    '0.2-V2: an unknown member is named at %s, and the rest is applied',
    (place) => {
      const { result } = turnWith(place, { contextUpdate: { seen: place }, reason: 'r', 'no/te': 1 });
      expect(result.contextUpdate).toMatchObject({ seen: place });
      expect(chainOf(result)).toMatchObject([{ refused: expect.stringContaining('/no~1te: the rest') }]);
    },
  );

  it.each(OBSERVERS)('an answer of %s is not read', (place) => {
    expect(turnWith(place, { note: 1, goTo: 'nowhere' }).end).toEqual(quiet.end);
  });

  it.each([...BEFORE, 'beforeRespond'])(
    '0.2-V1: what is not JSON at %s fails the turn, at its pointer',
    (place) => {
      for (const value of [{ a: [() => 1] }, { a: [Symbol('x')] }, { a: [1n] }])
        expect(turnWith(place, value).end).toMatchObject({
          status: 'failed',
          failure: { kind: 'tool', message: expect.stringContaining('/a/0 is') },
        });
    },
  );

  it.each([...AFTER, ...OBSERVERS, 'onDataUpdate'])(
    '0.2-V1: what is not JSON at %s is recorded, at its pointer',
    (place) => {
      const { result } = turnWith(place, { a: [() => 1] });
      const said = [
        ...chainOf(result),
        ...result.triggeredSignals.map(({ handlerError }) => ({ refused: handlerError })),
      ];
      expect(said).toContainEqual(
        expect.objectContaining({ refused: expect.stringContaining('/a/0 is function') }),
      );
    },
  );

  it('0.2-V1: a signal that fires once, whose handler answers nothing, fires once', () => {
    const { story } = turnWith('signal.pre', undefined);
    const silent: ScriptedAnswers = Object.fromEntries(ALL.map((name) => [name, null]));
    expect(story.say('y', silent).triggeredSignals).toEqual([]);
  });

  it('0.2-V2: `reason` is a member; a member of a member is named too', () => {
    const { result } = turnWith('onComplete', { goTo: { flow: 'f', because: 1 }, reason: 'booked' });
    expect(result.directiveChain).toMatchObject([
      { source: 'onComplete of f', refused: expect.stringContaining('/goTo/because') },
      { source: 'onComplete of f', directive: { goTo: { flow: 'f' }, reason: 'booked' } },
    ]);
  });
});
