import { describe, expect, it } from '@jest/globals';
import type { Event, RecordedEvent } from '#lib/kernel';
import { spansOfRun } from './spans-of-run.rules.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

function history(events: readonly Event[], traceparent?: string): readonly RecordedEvent[] {
  return events.map(({ type, data }, revision) => {
    const occurredAt = new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
    const metadata = {
      schemaVersion: 1,
      occurredAt,
      correlationId: 's',
      causationId: 'c',
      commandId: 'c',
      actor: 'a',
    };
    return {
      type,
      data,
      eventId: `e${revision}`,
      schemaVersion: 1,
      stream: 'planner-r',
      revision,
      position: '',
      occurredAt,
      metadata: { ...metadata, ...(traceparent !== undefined && { traceparent }) },
    };
  });
}

const started = (owner?: object) => ({
  type: 'WorkflowStarted',
  data: { workflow: 'planner', version: 1, input: { goal: 'g' }, facts: {}, ...(owner && { owner }) },
});
const ended = { type: 'WorkflowEnded', data: { status: 'completed', result: null } };

describe('the spans of a run', () => {
  it('has none before the run has ended, and none when the caller does not record its trace', () => {
    expect(spansOfRun('r', history([started()]))).toEqual([]);
    expect(spansOfRun('r', history([started(), ended], `00-${TRACE}-b7ad6b7169203331-00`))).toEqual([]);
  });

  it('puts a child below the run that asked for it, in the trace of the caller of both', () => {
    const caller = `00-${TRACE}-b7ad6b7169203331-01`;
    const [parent] = spansOfRun('r', history([started(), ended], caller));
    const owner = { run: 'r', workflow: 'planner', stepId: 'child' };
    const [child] = spansOfRun('c', history([started(owner), ended], caller));
    expect(parent).toMatchObject({ traceId: TRACE, parent: { spanId: 'b7ad6b7169203331', isRemote: true } });
    expect(child).toMatchObject({ traceId: TRACE, parent: { spanId: parent?.spanId, isRemote: false } });
    expect(child?.spanId).not.toBe(parent?.spanId);
  });

  it('has one for each call, as long as the call, with the kind of its failure', () => {
    const calls = [
      { type: 'ToolCallRequested', data: { stepId: 't#1', toolId: 'lookup', callId: 't' } },
      { type: 'FunctionCallRequested', data: { stepId: 'f#1', fnName: 'quote' } },
      { type: 'WebhookCallRequested', data: { stepId: 'w#1', url: 'https://hooks.example:8443/x' } },
      { type: 'ToolCallCompleted', data: { stepId: 't#1', result: {} } },
      { type: 'FunctionCallFailed', data: { stepId: 'f#1', failure: { kind: 'threw', message: 'no' } } },
      { type: 'WebhookCallCompleted', data: { stepId: 'w#1', status: 503 } },
    ];
    const [run, tool, fn, hook, ...more] = spansOfRun('r', history([started(), ...calls, ended]));
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      name: 'invoke_workflow planner',
      attributes: { 'gen_ai.workflow.name': 'planner' },
    });
    expect(tool).toMatchObject({ name: 'execute_tool lookup', parent: { spanId: run?.spanId } });
    expect((tool?.end ?? 0) - (tool?.start ?? 0)).toBe(3_000);
    expect(fn).toMatchObject({ name: 'function quote', error: 'no', attributes: { 'error.type': 'threw' } });
    expect(hook).toMatchObject({
      name: 'POST',
      kind: 'client',
      attributes: { 'server.address': 'hooks.example', 'server.port': 8443, 'error.type': '503' },
    });
  });
});
