import type { SandboxProgram } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import { citationsProblem } from './citations.js';
import { type CodeState, current, indexOf } from './code.state.js';
import { namesOf } from './components.rules.js';
import { LISTEN } from './exits.rules.js';
import { beginHook, thoughtIn } from './hook.rules.js';
import { executionError, exitError, type IterationStatus, statusOf } from './iteration.rules.js';
import { checkedEnd, concluded } from './next-iteration.rules.js';
import { sandboxObjects } from './objects.rules.js';
import { beginProgram, isOver, type ProgramState, sourcesOf } from './program.rules.js';

const LIMITS = { ticks: 1_000, memoryBytes: 67_108_864, stackBytes: 262_144, timeMs: 5_000 };

/** There is code: a hook may replace it before it runs. */
export function written(state: CodeState, code: string): CodeState {
  const { onBeforeExecution } = state.input.hooks ?? {};
  if (!onBeforeExecution) return withProgram(state, code);
  const iteration = indexOf(state);
  const hook = beginHook(`iteration-${iteration}-before`, onBeforeExecution, { iteration, code });
  return { ...state, hook: { ...hook, at: 'execution', status: { type: 'pending' } } };
}

function withProgram(state: CodeState, code: string): CodeState {
  return { ...state, programs: state.programs + 1, program: programOf(state, code) };
}

function programOf(state: CodeState, code: string): ProgramState {
  const { callables, seed, repliedAt, input, iterations, components, sources, programs } = state;
  const { runId, version, facts } = state;
  const index = iterations.length;
  const { variablesIn } = iterations.findLast((one) => one.variablesIn !== undefined) ?? {};
  const isCiting = input.citations !== undefined;
  const program: SandboxProgram = {
    code,
    tools: callables.map(({ path }) => path),
    ...(programs === 0 && input.objects && { objects: sandboxObjects(input.objects) }),
    clock: repliedAt,
    seed: `${seed} ${index}`,
    limits: { ...LIMITS, ...input.limits },
    ...(input.chat === true && { components: namesOf(components) }),
    ...(isCiting && { sources: sources.length }),
    ...(variablesIn !== undefined && { variablesFrom: variablesIn }),
  };
  const { hooks = {} } = input;
  const setting = {
    runId,
    version,
    facts,
    callables,
    components,
    hooks,
    iteration: index,
    ...(isCiting && { sources }),
  };
  return beginProgram({ id: `iteration-${index}-code`, program, setting });
}

export function ran(before: CodeState, program: ProgramState, occurredAt: string): CodeState {
  const { traces, variablesIn = program.program.variablesFrom, end, broken } = program;
  const state = current(
    { ...traced(before, program), program, sources: sourcesOf(program) },
    { traces, ...(variablesIn !== undefined && { variablesIn }) },
  );
  if (!isOver(program)) return state;
  if (broken !== undefined || !end)
    return concluded(state, executionError('sandbox-failed', broken ?? ''), occurredAt);
  const status = reviewedStatus(state, program, statusOf(end, state.exits));
  const { onExit } = state.input.hooks ?? {};
  if (status.type !== 'exit_success' || !onExit) return concluded(state, status, occurredAt);
  const iteration = indexOf(state);
  const input = { iteration, exit: status.name, value: status.value };
  return {
    ...state,
    hook: { ...beginHook(`iteration-${iteration}-exit`, onExit, input), at: 'exit', status },
  };
}

/** The traces of a slice or of a call, for a hook that watches. */
function traced(state: CodeState, { traces }: ProgramState): CodeState {
  const { onTrace } = state.input.hooks ?? {};
  const added = traces.slice(state.program?.traces.length ?? 0);
  if (!onTrace || added.length === 0) return state;
  const iteration = indexOf(state);
  const id = `iteration-${iteration}-trace-${traces.length}`;
  return { ...state, tracing: [...state.tracing, beginHook(id, onTrace, { iteration, traces: added })] };
}

/** The status, unless a hook asked to think, the code listens in silence, or the value cites too much. */
function reviewedStatus(
  { chat, input, sources }: CodeState,
  { calls }: ProgramState,
  status: IterationStatus,
): IterationStatus {
  const thought = calls.find((call) => call.thought)?.thought;
  if (thought) return { type: 'thinking_requested', ...thought };
  if (status.type !== 'exit_success') return status;
  const problem = input.citations ? citationsProblem(status.value, sources) : undefined;
  if (problem !== undefined) return exitError('invalid-value', status.name, `The value ${problem}`);
  if (status.name !== LISTEN.name || chat?.sent !== 0) return status;
  const message = 'The code listens, and has sent no message in this turn: yield one before.';
  return exitError('silent', LISTEN.name, message);
}

export function hooked(
  state: CodeState,
  hook: NonNullable<CodeState['hook']>,
  occurredAt: string,
): CodeState {
  const { answer, at, status } = hook;
  if (!answer) return { ...state, hook };
  const { hook: _, ...rest } = state;
  const refused = 'refused' in answer ? answer.refused : undefined;
  const object: JsonObject = 'object' in answer ? answer.object : {};
  if (at === 'end') return checkedEnd(rest, object, occurredAt);
  if (at === 'exit') {
    if (refused === undefined || status.type !== 'exit_success') return concluded(rest, status, occurredAt);
    return concluded(rest, exitError('hook-refused', status.name, refused, status.value), occurredAt);
  }
  if (refused !== undefined) return concluded(rest, executionError('hook-refused', refused), occurredAt);
  const thought = thoughtIn(object, state.version);
  if (thought) return concluded(rest, { type: 'thinking_requested', ...thought }, occurredAt);
  const { code = rest.iterations.at(-1)?.code } = object;
  const text = typeof code === 'string' ? code : '';
  return withProgram(current(rest, { code: text }), text);
}
