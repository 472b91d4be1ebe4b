import type { SandboxTrace } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import { changedArguments, resultOf } from '#lib/runs/tools/core';
import type { MadeCall } from './program-call.script.js';

const SLOW_MS = 15_000;

/** The traces of a finished call of a tool: that it was slow, its place, and the call. */
export function callTraces(call: MadeCall, ended_at: string): readonly SandboxTrace[] {
  if (call.isMessage) return [];
  const { callId: tool_call_id, asked, callable, tool, startedAt: started_at = ended_at } = call;
  const [object = '', method] = asked.tool.split('.');
  const tool_name = callable?.tool.toolId ?? asked.tool;
  const named = { tool_call_id, tool_name, ...(method !== undefined && { object }) };
  const duration_ms = Date.parse(ended_at) - Date.parse(started_at);
  const input = tool?.arguments ?? asked.input;
  const changed = tool && changedArguments(tool) && { input_changed: true };
  return [
    ...(duration_ms >= SLOW_MS ? [{ type: 'tool_slow', ...named, duration_ms }] : []),
    { type: 'tool_call', ...named, input, ...changed, ...shownOutcome(call), started_at, ended_at },
  ];
}

function shownOutcome({ tool, outcome }: MadeCall) {
  if ('error' in outcome) return { success: false, error: outcome.error };
  const result = tool && resultOf(tool);
  const made: Json | undefined = result?.success === true ? result.data : undefined;
  return { success: true, output: ('value' in outcome ? outcome.value : made) ?? null };
}
