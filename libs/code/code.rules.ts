import type { ActivityEvent } from '#lib/workflow';
import { derivedId, type Event } from '#lib/kernel';
import {
  addSpent,
  evolveModelCall,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  NOTHING_SPENT,
  readTurn,
} from '#lib/call-rules';
import type { ToolFact } from '#lib/runs/tools/core';
import type { RuntimeEvent, Seen, Started, Step } from '#lib/workflow';
import { callablesOf } from './callables.rules.js';
import { awaitStep, beginChat, heard, withMessage } from './chat.rules.js';
import type { CodeInput } from './code.input.js';
import { type CodeState, current, failed, indexOf } from './code.state.js';
import { componentsOf } from './components.rules.js';
import { exitsOf } from './exits.rules.js';
import { evolveHook, hookSteps } from './hook.rules.js';
import { concluded, nextIteration, over } from './next-iteration.rules.js';
import { evolveProgram, programSteps } from './program.rules.js';
import { codeIn, firstMessages } from './prompt.js';
import { endOf } from './result.rules.js';
import { hooked, ran, written } from './run-iteration.rules.js';

export function beginCode({ data, runId }: Started): CodeState {
  const input = data.input as object as CodeInput;
  const { model, tools } = data.facts as object as {
    readonly model: Pick<CodeState, 'routes' | 'seed'>;
    readonly tools: readonly ToolFact[];
  };
  const exits = exitsOf(input, data.version);
  const components = input.chat === true ? componentsOf(input.components) : [];
  const chat = beginChat(input);
  const callables = callablesOf(input, tools);
  const messages = firstMessages(input, { callables, exits, components });
  const none = { iterations: [], programs: 0, tracing: [], repliedAt: '', spent: NOTHING_SPENT };
  const { citations: sources = [] } = input;
  const { version, facts } = data;
  const at = { runId, version, facts };
  const known = { ...at, input, exits, components, ...model, callables, messages, sources };
  const state = { ...known, ...none, ...(chat && { chat }) };
  return chat?.isListening ? state : nextIteration(state);
}

export function evolveCode(before: CodeState, event: Seen<Event | RuntimeEvent | ActivityEvent>): CodeState {
  const state = noted(before, event);
  const { stop, chat, asking, hook, program } = state;
  if (stop) return state;
  if (event.type === 'RunCancelRequested') return cancelled(state, event);
  if (chat?.isListening) return answered(state, event);
  if (asking) return asked(state, evolveModelCall(asking, event), event.occurredAt);
  if (hook) return hooked(state, { ...hook, ...evolveHook(hook, event) }, event.occurredAt);
  return program ? ran(state, evolveProgram(program, event), event.occurredAt) : state;
}

export function nextOfCode(state: CodeState): readonly Step[] {
  return [...state.tracing.flatMap(hookSteps), ...workSteps(state)];
}

function workSteps(state: CodeState): readonly Step[] {
  const { stop, chat, asking, hook, program, input, request } = state;
  if (stop) return [endOf(state, stop)];
  if (chat?.isListening) return [awaitStep(chat)];
  if (asking)
    return modelCallSteps(asking, (route) => ({
      labels: { iteration: indexOf(state) },
      body: modelBody(route, { messages: request?.messages ?? [] }, input.modelParameters),
    }));
  if (hook) return hookSteps(hook);
  return program ? programSteps(program) : [];
}

/** The changes of an event besides the phase of the run. */
function noted(state: CodeState, event: Seen): CodeState {
  const { chat, tracing } = state;
  if (tracing.length === 0 && (!chat || event.type !== 'MessageSent')) return state;
  const open = tracing.map((hook) => evolveHook(hook, event)).filter(({ answer }) => !answer);
  return { ...state, tracing: open, ...(chat && { chat: withMessage(chat, event) }) };
}

/** A message for a conversation begins its next turn. */
function answered(state: CodeState, event: Seen): CodeState {
  const next = heard(state, event);
  return next ? nextIteration(next) : state;
}

function asked(state: CodeState, asking: ModelCallState, occurredAt: string): CodeState {
  const { phase, routes, spent } = asking;
  if (phase.at !== 'answered' && phase.at !== 'failed') return { ...state, asking };
  const { asking: _, ...rest } = state;
  const model = routes[0]?.modelId;
  const cost = { ...(model !== undefined && { model }), ...costOf(spent) };
  const next = current({ ...rest, routes, spent: addSpent(state.spent, spent), repliedAt: occurredAt }, cost);
  if (phase.at === 'failed') {
    const { message, kind } = phase.failure;
    const code = kind === 'budget' ? 'budget' : 'model-failed';
    return concluded(next, { type: 'generation_error', code, message }, occurredAt);
  }
  const turn = readTurn(phase.reply, phase.completion);
  const code = codeIn(turn.content ?? '');
  const messages = [...state.messages, turn.message];
  const counted = phase.completion.usage?.promptTokens;
  const replied = { ...next, messages, request: { messages: state.request?.messages ?? [], counted } };
  const llmCallId = derivedId(state.runId, phase.reply.stepId);
  return written(current(replied, { code, llmCallId }), code);
}

function costOf({ usage, costUSD }: ModelCallState['spent']) {
  return { usage, ...(costUSD !== undefined && { costUSD }) };
}

function cancelled(state: CodeState, { data, occurredAt }: Seen): CodeState {
  const { reason = 'The run was cancelled.' } = data as { readonly reason?: string };
  const isAtWork = state.asking ?? state.hook ?? state.program;
  const next = isAtWork ? over(state, { type: 'aborted', reason }, occurredAt) : state;
  return failed(next, 'aborted', reason);
}
