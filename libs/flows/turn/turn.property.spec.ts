import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { recordedCalls } from '#lib/call-rules';
import { StreamHistory } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, type RecordedEvent } from '#lib/kernel';
import { verifyDecisions } from '#lib/runs/runs';
import { verifyRun } from '#lib/workflow';
import type { FlowInput, SignalInput } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { conversationDecider } from '../conversation/conversation.decider.js';
import { conversationWith, type ScriptedAnswers } from '../testing/story.js';
import { one, schema } from '../testing/booking.js';
import { turn } from './turn.workflow.js';

const branch = { branches: [{ if: { fn: 'isBranched' }, then: 'branched' }] };
const flow = (id: string): FlowInput => ({
  id,
  title: id,
  steps: [{ id: `${id}-auto`, auto: true, ...branch }, { id: `${id}-says` }],
});
const home: FlowInput = {
  id: 'home',
  title: 'Home',
  steps: [{ id: 'home-asks', collect: ['name'], ...branch }, { id: 'home-says' }],
};
const signal = (phase: 'pre' | 'post'): SignalInput => ({
  id: phase,
  phase,
  if: { fn: `has-${phase}` },
  handler: { fn: phase },
});
const flows = [home, ...['pending', 'signalled', 'routed', 'branched', 'later'].map(flow)];
const signals = [signal('pre'), signal('post')];

interface Sources {
  readonly isPending: boolean;
  readonly pre: 'position' | 'halt' | 'abort' | 'data' | 'none';
  readonly isExtracted: boolean;
  readonly isBranched: boolean;
  readonly isPost: boolean;
}

const DIRECTIVES: { readonly [pre in Sources['pre']]: Directive } = {
  position: { goTo: 'signalled' },
  halt: { halt: true },
  abort: { abort: 'enough' },
  data: { dataUpdate: { count: 1 } },
  none: {},
};

/** The order of precedence, as a list. */
function expected({ isPending, pre, isExtracted, isBranched, isPost }: Sources) {
  const pendingDirective = isPost ? { goTo: 'later' } : undefined;
  if (pre === 'abort') return { stoppedReason: 'aborted', flow: undefined, pendingDirective };
  if (pre === 'halt') return { stoppedReason: 'halt', flow: undefined, pendingDirective };
  const reached = [
    isPending && 'pending',
    pre === 'position' && 'signalled',
    isExtracted && 'home',
    'routed',
  ].find((found) => found !== false);
  return { flow: isBranched ? 'branched' : reached, pendingDirective };
}

describe('turns', () => {
  it('F-29: where a turn goes is decided by its pending directive, signals, the flow that it fills, the router, branches, in this order; signals after it for the next turn', () => {
    const sources = fc.record<Sources>({
      isPending: fc.boolean(),
      pre: fc.constantFrom('position', 'halt', 'abort', 'data', 'none'),
      isExtracted: fc.boolean(),
      isBranched: fc.boolean(),
      isPost: fc.boolean(),
    });
    fc.assert(
      fc.property(sources, (given) => {
        const { isPending, pre, isExtracted, isBranched, isPost } = given;
        const story = conversationWith({ schema, flows, signals });
        const silent = { 'has-pre': false, 'has-post': false, isBranched: false };
        story.say('x', { ...silent, route: { intent: 'x', scores: { home: 90 } } });
        if (isPending) story.dispatch({ goTo: 'pending' });
        // A branch to its own flow would be a cycle.
        const isBranchedOnce = [isBranched, false];
        const script: ScriptedAnswers = {
          'has-pre': pre !== 'none',
          pre: DIRECTIVES[pre],
          'has-post': isPost,
          post: { goTo: 'later' },
          extract: isExtracted ? { name: 'Ann' } : {},
          route: { intent: 'x', scores: { home: 0, routed: 90 } },
          isBranched: isBranchedOnce,
        };
        const { executedSteps, stoppedReason, pendingDirective } = story.say('y', script);
        const { stoppedReason: ended = stoppedReason, ...rest } = expected(given);
        const said = executedSteps.findLast(({ kind }) => kind === 'llm');
        expect({ flow: said?.flowId, stoppedReason, pendingDirective }).toEqual({
          ...rest,
          stoppedReason: ended,
        });
        expect(story.asked.includes('route')).toBe(!isPending && !isExtracted);
      }),
      { numRuns: 25 },
    );
  });

  it('F-35: the data updates of a phase are applied whole, or not at all', () => {
    const update = fc.record(
      {
        name: fc.constantFrom<Json>('Ann', 'Bob', 5),
        count: fc.constantFrom<Json>(1, 2, 0),
        size: fc.constant<Json>(1),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const fits = ({ name = 'Ann', count = 1, size }: JsonObject) =>
      name !== 5 && count !== 0 && size === undefined;
    fc.assert(
      fc.property(fc.tuple(update, update, update, update), ([enter, prepare, tool, finalize]) => {
        const hooks = { onEnter: { fn: 'enter' }, prepare: { fn: 'prepare' }, finalize: { fn: 'finalize' } };
        const story = one({ steps: [{ id: 's', tools: ['find'], hooks }] });
        const calls = { calls: [['find', {}]] as object as Json };
        const script: ScriptedAnswers = {
          enter: { dataUpdate: enter },
          prepare: { dataUpdate: prepare },
          finalize: { dataUpdate: finalize },
          respond: [calls, { message: 'Done.' }],
          find: { tool: { dataUpdate: tool } },
        };
        const before = { ...enter, ...prepare };
        const after = { ...tool, ...finalize };
        const { stoppedReason } = story.say('x', script);
        const taken = { ...(fits(before) && { ...before, ...(fits(after) && after) }) };
        expect(story.conversation.data).toEqual(taken);
        expect(stoppedReason === 'validation_error').toBe(!fits(before) || !fits(after));
      }),
      { numRuns: 25 },
    );
  });

  it('a change of any derived event is found at that event, in the turn and in the conversation', () => {
    const story = one({ steps: [{ id: 's', prepare: { fn: 'ready' }, tools: ['find'] }] });
    const calls = { calls: [['find', { order: 7 }]] as object as Json };
    story.say('x', {
      extract: { name: 'Ann' },
      ready: { appendPrompt: ['Be brief'] },
      respond: [calls, { message: 'Done.' }],
      find: { tool: { dataUpdate: { count: 2 } } },
    });
    const run = story.history?.events ?? [];
    const taken = story.events.findIndex(({ type }) => type === 'TurnTaken');
    const asked = new StreamHistory(story.events).upTo(taken - 1);
    expect(verifyRun(turn, recordedCalls, run, asked).divergence).toBeUndefined();
    const derived = run.filter(({ type }) => type.endsWith('Requested') || type === 'WorkflowEnded');
    expect(derived.length).toBeGreaterThan(6);
    for (const event of derived) {
      for (const changed of changesOf(event)) {
        const { divergence } = verifyRun(turn, recordedCalls, run.with(event.revision, changed), asked);
        expect(divergence?.revision).toBe(event.revision);
      }
    }
    const own = story.events;
    expect(own.map(({ type }) => type)).toEqual(['ConversationStarted', 'TurnRequested', 'TurnTaken']);
    const tampered = own.with(1, {
      ...own[1],
      data: { ...own[1]?.data, text: 'other' },
    } as (typeof own)[number]);
    expect(verifyDecisions(conversationDecider, tampered).divergence?.revision).toBe(1);
  });
});

/** The event changed in one member at a time: another text or number, or without the member. */
function changesOf(event: RecordedEvent): readonly RecordedEvent[] {
  const data = event.data as JsonObject;
  return Object.entries(data).map(([name, value]) => {
    const { [name]: _, ...without } = data;
    const changed = typeof value === 'string' ? `${value}~` : value;
    return {
      ...event,
      data: changed === value || isJsonObject(value) ? without : { ...data, [name]: changed },
    };
  });
}
