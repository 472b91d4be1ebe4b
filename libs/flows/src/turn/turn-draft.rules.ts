import { jsonText, type JsonObject, ownMember } from '#lib/kernel';
import { dataProblems, hasAll } from '../agent/data.rules.js';
import { type Agent, type Directive, type Flow, flowNamed, type Step } from '../agent/agent-definition.js';
import { type Position, positionOf } from './directive.rules.js';
import type { TurnGiven, TurnView } from './turn-given.js';
import type {
  AppliedInstruction,
  CalledTool,
  ChainLink,
  DataChanges,
  FiredSignal,
  FlowPosition,
  Move,
  TurnFailure,
  TurnResult,
} from './turn-result.js';

/** Ends a turn: the conversation stays as it was before. */
export class TurnFailed extends Error {
  constructor(readonly failure: TurnFailure) {
    super(failure.message);
  }
}

/** A turn while its script runs. It lives within one run of the script. */
export class TurnDraft {
  data: JsonObject;
  context: JsonObject;
  flow: Flow | undefined;
  step: Step | undefined;
  status: TurnResult['status'] = 'open';
  isCleared = false;
  pendingDirective: Directive | undefined;
  /** Names of the data that the message gave. */
  extracted: readonly string[] = [];
  /** Ids of the steps that the whole turn has passed. */
  readonly passed: string[] = [];
  readonly executedSteps: TurnResult['executedSteps'][number][] = [];
  readonly toolCalls: CalledTool[] = [];
  readonly appliedInstructions: AppliedInstruction[] = [];
  readonly triggeredSignals: FiredSignal[] = [];
  /** For the model of this turn. */
  readonly appendPrompt: string[] = [];
  readonly injectTools: string[] = [];
  readonly chain: ChainLink[] = [];
  readonly moves: Move[] = [];
  readonly completed: Set<string>;
  #contextUpdate: JsonObject = {};
  readonly #numbers = new Map<string, number>();

  constructor(readonly given: TurnGiven) {
    this.data = given.data;
    this.context = given.context;
    this.completed = new Set(given.completedFlows);
    const { flowId, stepId } = given.position ?? {};
    this.flow = this.agent.flows.find(({ id }) => id === flowId);
    this.step = this.flow?.steps.find(({ id }) => id === stepId);
  }

  get agent(): Agent {
    return this.given.agent;
  }

  get view(): TurnView {
    const { data, context } = this;
    const session = { currentFlow: this.flow?.id ?? null, currentStep: this.step?.id ?? null };
    return { data, context, session, history: this.given.history };
  }

  /** The id of the next ask of a kind. */
  id(kind: string): string {
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    return `${kind}-${number}`;
  }

  /** All of it, or none where some of it does not fit. */
  updateData(update: JsonObject): boolean {
    if (dataProblems(this.agent.schema, update).length > 0) return false;
    this.data = { ...this.data, ...update };
    return true;
  }

  updateContext(update: JsonObject): void {
    this.context = { ...this.context, ...update };
    this.#contextUpdate = { ...this.#contextUpdate, ...update };
  }

  /** Where a flow is entered again, what it collects is forgotten, but for what this turn extracted. */
  enter(flow: Flow, step?: Step, data: JsonObject = {}): void {
    if (this.flow?.id !== flow.id) {
      this.leave('goto_flow');
      if (this.completed.has(flow.id)) this.#forget([...flow.requiredFields, ...flow.optionalFields]);
      this.data = { ...flow.initialData, ...this.data };
      this.moves.push({ entered: flow.id });
    }
    this.data = { ...this.data, ...data };
    this.flow = flow;
    this.step = step ?? flow.steps[0];
  }

  leave(reason: 'completed' | 'goto_flow' | 'aborted'): void {
    if (!this.flow) return;
    this.moves.push({ left: this.flow.id, reason });
    if (reason === 'completed') this.completed.add(this.flow.id);
    this.flow = undefined;
    this.step = undefined;
  }

  /** @throws TurnFailed where the chain is longer than the agent allows */
  link(source: string, directive: Directive): Position | undefined {
    this.chain.push({ source, directive });
    const position = positionOf(directive);
    const applied = this.chain.filter((one) => one.refused === undefined && positionOf(one.directive));
    if (applied.length > this.agent.maxDirectiveChain && position?.to !== 'abort')
      throw chainTooLong(applied);
    return position;
  }

  /** Moves as a position says. What ends the turn, or a flow, is for the caller. */
  moveTo(position: Extract<Position, { to: 'flow' | 'step' | 'reset' }>): void {
    if (position.to === 'reset') {
      if (position.clearData) this.data = { ...this.agent.initialData };
      this.step = this.#stepOf(this.flow, position.step) ?? this.flow?.steps[0];
      return;
    }
    const flow = position.flow === undefined ? this.flow : flowNamed(this.agent.flows, position.flow);
    if (!flow) return;
    if (position.to === 'flow' && position.carry === 'reset') this.data = { ...this.agent.initialData };
    this.enter(flow, this.#stepOf(flow, position.step), position.data);
  }

  /** Whether all required data of the flow are there. */
  get isFlowSatisfied(): boolean {
    const required = this.flow?.requiredFields ?? [];
    return required.length > 0 && hasAll(this.data, required);
  }

  result(ended: Pick<TurnResult, 'message' | 'stoppedReason'>): Omit<TurnResult, 'usage' | 'llmCalls'> {
    const {
      executedSteps,
      toolCalls,
      appliedInstructions,
      triggeredSignals,
      chain: directiveChain,
      moves,
      status,
      pendingDirective,
    } = this;
    return {
      ...ended,
      executedSteps,
      toolCalls,
      appliedInstructions,
      triggeredSignals,
      directiveChain,
      dataChanges: this.#dataChanges(),
      ...(Object.keys(this.#contextUpdate).length > 0 && { contextUpdate: this.#contextUpdate }),
      moves,
      ...(this.flow && { position: this.#position(this.flow) }),
      status,
      ...(pendingDirective && { pendingDirective }),
      ...(this.isCleared && { isCleared: true as const }),
    };
  }

  #position({ id: flowId }: Flow): FlowPosition {
    return { flowId, ...(this.step && { stepId: this.step.id }) };
  }

  #stepOf(flow: Flow | undefined, id: string | undefined): Step | undefined {
    return flow?.steps.find((step) => step.id === id);
  }

  #forget(names: readonly string[]): void {
    const forgotten = names.filter((name) => !this.extracted.includes(name));
    this.data = Object.fromEntries(Object.entries(this.data).filter(([name]) => !forgotten.includes(name)));
  }

  #dataChanges(): DataChanges {
    const before = this.given.data;
    const names = new Set([...Object.keys(before), ...Object.keys(this.data)]);
    const changed = [...names].filter(
      (name) => jsonText(ownMember(before, name) ?? null) !== jsonText(ownMember(this.data, name) ?? null),
    );
    const at = (data: JsonObject, name: string) => ownMember(data, name);
    return Object.fromEntries(
      changed.map((name) => {
        const [from, to] = [at(before, name), at(this.data, name)];
        return [name, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
      }),
    );
  }
}

function chainTooLong(chain: readonly ChainLink[]): TurnFailed {
  const links = chain.map(({ source, directive }) => `${source} ${jsonText(directive)}`);
  return new TurnFailed({
    kind: 'directive-chain',
    message: `The directives of this turn lead on without end: ${links.join(' → ')}`,
  });
}
