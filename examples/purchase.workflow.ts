// A purchase that a person approves: a tool gives a price, a model advises, a timer reminds, a person decides.
import type { Rules, Step, Workflow } from 'redial-engine';
import type { Json } from 'redial-engine/kernel';
import {
  beginModelCall,
  evolveModelCall,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  type ModelRoute,
} from 'redial-engine/models';
import {
  beginToolCall,
  evolveToolCall,
  resultOf,
  type ToolCallState,
  type ToolFact,
  toolCallSteps,
} from 'redial-engine/tools';

type Input = {
  readonly item: string;
  readonly model: string;
  /** The tool that gives a price. */
  readonly tools: readonly [string];
  readonly remindAfterMs: number;
};

/** What the engine adds when the run starts: how the model and its backups are called, and the tool in its current version. */
type Facts = {
  readonly model: { readonly routes: readonly ModelRoute[]; readonly seed: string };
  readonly tools: readonly [ToolFact];
};

interface Purchase {
  readonly input: Input;
  readonly quote: ToolCallState;
  readonly advice: ModelCallState;
  readonly isReminded?: boolean;
  readonly decision?: Json;
}

const APPROVAL_TIMEOUT_MS = 3 * 86_400_000;

const inputSchema = {
  type: 'object',
  properties: {
    item: { type: 'string' },
    model: { type: 'string' },
    tools: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1 },
    remindAfterMs: { type: 'integer', minimum: 0 },
  },
  required: ['item', 'model', 'tools', 'remindAfterMs'],
};

const decisionSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
};

const initialState: Rules<Purchase>['initialState'] = ({ data }) => {
  const input = data.input as object as Input;
  const { model, tools } = data.facts as object as Facts;
  const [tool] = tools;
  const asked = { callId: 'quote', toolId: tool.toolId, argumentsText: JSON.stringify({ item: input.item }) };
  const advice = beginModelCall({ callId: 'advice', ...model });
  return { input, advice, quote: beginToolCall(asked, tool) };
};

const evolve: Rules<Purchase>['evolve'] = (state, event) => {
  const quote = evolveToolCall(state.quote, event);
  const advice = evolveModelCall(state.advice, event);
  if (quote !== state.quote || advice !== state.advice) return { ...state, quote, advice };
  switch (event.type) {
    case 'SignalReceived':
      return { ...state, decision: (event.data as { payload: Json }).payload };
    case 'TimerFired':
      return (event.data as { stepId: string }).stepId === 'reminder'
        ? { ...state, isReminded: true }
        : { ...state, decision: { approved: false, reason: 'No answer came in time.' } };
    default:
      return state;
  }
};

/** `undefined` until the model, or its provider, has given up. */
function adviceOf({ phase }: ModelCallState): string | undefined {
  if (phase.at === 'answered') return phase.completion.content;
  return phase.at === 'failed' ? 'The model gave no advice.' : undefined;
}

/** All steps to do now. A step that is open or closed is skipped, so the answer may repeat it. */
function next(state: Purchase): readonly Step[] {
  const { input, quote, decision } = state;
  const result = resultOf(quote);
  if (!result) return toolCallSteps(quote);
  if (!result.success) return [{ do: 'fail', failure: { kind: 'no-quote', message: result.message } }];
  const known = { item: input.item, quote: result.data ?? null };
  const advice = adviceOf(state.advice);
  if (advice === undefined) return askForAdvice(state, known);
  if (decision !== undefined) return [{ do: 'end', result: { ...known, advice, decision } }];
  return waitForDecision(state, { ...known, advice });
}

/** One step at a time: the call, a wait before the next attempt, or the change to a backup. */
function askForAdvice({ advice }: Purchase, { item, quote }: { item: string; quote: Json }): readonly Step[] {
  const content = `Is ${JSON.stringify(quote)} a fair price for ${item}? Answer in one sentence.`;
  const messages = [{ role: 'user', content }];
  return modelCallSteps(advice, (route) => ({ body: modelBody(route, { messages }) }));
}

function waitForDecision({ input, isReminded }: Purchase, prompt: Json): readonly Step[] {
  const { item, remindAfterMs } = input;
  const signal = { signal: 'approval', schema: decisionSchema, prompt, timeoutMs: APPROVAL_TIMEOUT_MS };
  return [
    { do: 'await', id: 'approval', ...signal },
    { do: 'timer', id: 'reminder', afterMs: remindAfterMs },
    ...(isReminded ? [remind(item)] : []),
  ];
}

function remind(item: string): Step {
  return { do: 'call', id: 'remind#1', activity: 'function', input: { fnName: 'remind', input: { item } } };
}

/** `RedialModule.forRoot({ workflows: [purchase], functions: { remind } })` */
export const purchase: Workflow<Purchase> = {
  name: 'purchase',
  versions: { 1: { input: inputSchema, facts: ['model', 'tools'], initialState, evolve, next } },
};
