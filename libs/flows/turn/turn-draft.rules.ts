import { type Allowance, type Json, type JsonObject, jsonText, present } from '#lib/kernel';
import { dataProblems, hasAll } from '../agent/data.rules.js';
import { type Agent, type Flow, flowNamed, type Step } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import type { Observer } from '../agent/hook-definition.js';
import type { TurnAsks } from './ask.script.js';
import { type Position, positionOf } from './directive.rules.js';
import { evaluate } from './expression.rules.js';
import type { TurnGiven, TurnValues } from './turn-given.js';
import {
  type AppliedInstruction,
  type CalledTool,
  type ChainLink,
  type Compaction,
  dataChanges,
  type FiredSignal,
  type FlowPosition,
  type Move,
  type TurnFailure,
  type TurnResult,
} from './turn-result.js';
import type { TurnWork } from './turn-work.rules.js';

type StepExit = 'completed' | 'goto_flow' | 'goto_step' | 'aborted';

interface Exit {
  readonly hook: Observer;
  readonly source: string;
  readonly reason: StepExit;
}

/** Fails the turn: the conversation is unchanged. */
export class TurnFailed extends Error {
  constructor(readonly failure: TurnFailure) {
    super(failure.message);
  }
}

/** The state of a turn while its script runs. It is built again for each run of the script. */
export class TurnDraft {
  data: JsonObject;
  context: JsonObject;
  flow: Flow | undefined;
  #step: Step | undefined;
  /** The flow and the step whose entry hooks have run. */
  enteredFlow: Flow | undefined;
  enteredStep: Step | undefined;
  /** The pending `onExit` hooks of left flows and steps, in order. */
  readonly exits: Exit[] = [];
  status: TurnResult['status'] = 'open';
  isCleared = false;
  compaction: Compaction | undefined;
  pendingDirective: Directive | undefined;
  routingExtras: Json | undefined;
  output: Json | undefined;
  /** The router's choice among the successors of the step in which the turn began. */
  routedStep: Step | undefined;
  /** Names of the data extracted from the message. */
  extracted: readonly string[] = [];
  /** Names of the data that come with the directive that is applied; none up to version 3. */
  updated: readonly string[] = [];
  /** Ids of the steps that the whole turn has passed. */
  readonly passed: string[] = [];
  readonly executedSteps: TurnResult['executedSteps'][number][] = [];
  readonly toolCalls: CalledTool[] = [];
  readonly appliedInstructions: AppliedInstruction[] = [];
  readonly triggeredSignals: FiredSignal[] = [];
  /** For the model in this turn. */
  readonly appendPrompt: string[] = [];
  readonly injectTools: string[] = [];
  readonly chain: ChainLink[] = [];
  readonly moves: Move[] = [];
  readonly completed: Set<string>;
  #contextUpdate: JsonObject = {};
  readonly #numbers = new Map<string, number>();
  #isOverAllowance = false;

  constructor(
    readonly given: TurnGiven,
    private readonly work: TurnWork,
    readonly asks: TurnAsks,
  ) {
    this.data = given.data;
    this.context = given.context;
    this.completed = new Set(given.completedFlows);
    const { flowId, stepId, toEnter } = given.position ?? {};
    this.flow = this.agent.flows.find(({ id }) => id === flowId);
    this.#step = this.flow?.steps.find(({ id }) => id === stepId);
    if (toEnter !== 'flow') this.enteredFlow = this.flow;
    if (toEnter === undefined) this.enteredStep = this.#step;
  }

  /** The version of the rules: 1 are those of 0.2. */
  get version(): number {
    return this.given.version;
  }

  get agent(): Agent {
    return this.given.agent;
  }

  get step(): Step | undefined {
    return this.#step;
  }

  /** Moves to a step of the flow, or past the last one. */
  toStep(step: Step | undefined, reason: StepExit = 'completed'): void {
    if (step !== this.#step) this.#leaveStep(reason);
    this.#step = step;
  }

  get view(): TurnValues {
    const { data, context, routingExtras } = this;
    const session = {
      currentFlow: this.flow?.id ?? null,
      currentStep: this.step?.id ?? null,
      ...(routingExtras !== undefined && { routingExtras }),
    };
    return { data, context, session, history: this.given.history };
  }

  /** The id of the next ask of this kind. */
  id(kind: string): string {
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    return `${kind}-${number}`;
  }

  /** Computes a value within the allowance of the turn. @param refused the value once the allowance is spent; the first time is recorded */
  computed<Value>(compute: (allowance: Allowance) => Value, refused: Value): Value {
    const result = this.work.next(compute);
    if (result !== 'refused') return result.value;
    if (!this.#isOverAllowance) this.refuse('allowance', OVER_ALLOWANCE);
    this.#isOverAllowance = true;
    return refused;
  }

  /** Whether an expression is true of the turn's values. */
  isTrue(expression: string, more: JsonObject = {}): boolean {
    const values = { ...this.view, ...more };
    const isFirst = this.version === 1;
    return this.computed((allowance) => evaluate(expression, values, allowance, isFirst) === true, false);
  }

  /** The problem of data that do not fit the schema; `undefined` if all fit. */
  misfit(update: JsonObject): string | undefined {
    return this.computed((allowance) => {
      const [problem] = dataProblems(this.agent.schema, update, allowance);
      return problem && `${problem.path} ${problem.message}`;
    }, OVER_ALLOWANCE);
  }

  updateContext(update: JsonObject): void {
    this.context = { ...this.context, ...update };
    this.#contextUpdate = { ...this.#contextUpdate, ...update };
  }

  /** If a completed flow is entered again, the data that it collects are removed, except the values of this turn. */
  enter(flow: Flow, step?: Step, data: JsonObject = {}): void {
    if (this.flow?.id !== flow.id) {
      this.leave('goto_flow');
      if (this.completed.has(flow.id)) this.#forget(flow);
      this.data = { ...flow.initialData, ...this.data };
      this.moves.push({ entered: flow.id });
    }
    this.data = { ...this.data, ...data };
    this.flow = flow;
    this.status = 'open';
    this.toStep(step ?? flow.steps[0], 'goto_step');
  }

  leave(reason: 'completed' | 'goto_flow' | 'aborted'): void {
    if (!this.flow) return;
    const { id, hooks } = this.flow;
    this.moves.push({ left: id, reason });
    if (reason === 'completed') this.completed.add(id);
    this.toStep(undefined, reason);
    if (hooks?.onExit !== undefined && this.enteredFlow === this.flow)
      this.exits.push({ hook: hooks.onExit, source: `onExit of ${id}`, reason });
    this.flow = undefined;
    this.enteredFlow = undefined;
  }

  /** Records the reason why a directive or a hook was not applied. */
  refuse(source: string, refused: string, directive: Directive = {}): void {
    this.chain.push({ source, directive, refused });
  }

  /** Records a directive, and returns its position. @throws TurnFailed if the chain is longer than the agent allows */
  link(source: string, directive: Directive): Position | undefined {
    this.chain.push({ source, directive });
    const position = positionOf(directive);
    const applied = this.chain.filter((one) => one.refused === undefined && positionOf(one.directive));
    if (applied.length > this.agent.maxDirectiveChain && position?.to !== 'abort')
      throw chainTooLong(applied);
    return position;
  }

  /** Moves to a position. The caller handles those that end the turn or a flow. */
  moveTo(position: Extract<Position, { to: 'flow' | 'step' | 'reset' }>): void {
    if (position.to === 'reset') {
      if (position.clearData) this.data = { ...this.agent.initialData, ...this.#updates };
      this.#leaveStep('goto_step');
      this.toStep(this.#stepOf(this.flow, position.step) ?? this.flow?.steps[0]);
      return;
    }
    const flow = position.flow === undefined ? this.flow : flowNamed(this.agent.flows, position.flow);
    if (!flow) return;
    if (position.to === 'flow' && position.carry === 'reset')
      this.data = { ...this.agent.initialData, ...flow.initialData, ...this.#updates };
    this.enter(flow, this.#stepOf(flow, position.step), position.data);
  }

  /** Whether all required data of the flow are present. */
  get isFlowSatisfied(): boolean {
    const required = this.flow?.requiredFields ?? [];
    return required.length > 0 && hasAll(this.data, required);
  }

  result(ended: Pick<TurnResult, 'message' | 'stoppedReason'>): Omit<TurnResult, 'usage' | 'llmCalls'> {
    const { executedSteps, toolCalls, appliedInstructions, triggeredSignals, chain, moves } = this;
    const { routingExtras, output, status, pendingDirective, compaction } = this;
    return {
      ...ended,
      executedSteps,
      toolCalls,
      appliedInstructions,
      triggeredSignals,
      directiveChain: chain,
      dataChanges: dataChanges(this.given.data, this.data),
      ...present({ routingExtras, output }),
      ...(Object.keys(this.#contextUpdate).length > 0 && { contextUpdate: this.#contextUpdate }),
      moves,
      ...(this.flow && { position: this.#position(this.flow) }),
      status,
      ...(pendingDirective && { pendingDirective }),
      ...(this.isCleared && { isCleared: true }),
      ...(compaction && { compaction }),
    };
  }

  #position({ id: flowId }: Flow): FlowPosition {
    const { step, toEnter } = this;
    return { flowId, ...(step && { stepId: step.id }), ...(toEnter && { toEnter }) };
  }

  /** The flow or step whose entry hooks the next turn runs first. */
  private get toEnter(): FlowPosition['toEnter'] {
    if (this.flow?.hooks && this.enteredFlow !== this.flow) return 'flow';
    return this.step?.hooks && this.enteredStep !== this.step ? 'step' : undefined;
  }

  #leaveStep(reason: StepExit): void {
    const { id, hooks } = this.enteredStep ?? {};
    this.enteredStep = undefined;
    if (hooks?.onExit !== undefined)
      this.exits.push({ hook: hooks.onExit, source: `onExit of ${id}`, reason });
  }

  #stepOf(flow: Flow | undefined, id: string | undefined): Step | undefined {
    return flow?.steps.find((step) => step.id === id);
  }

  /** The data of the message count for the flow that they completed, and not again. Up to version 3 they count again. */
  #forget({ id, requiredFields, optionalFields }: Flow): void {
    const isOver = this.moves.some(
      (move) => 'left' in move && move.left === id && move.reason === 'completed',
    );
    const kept = [...(isOver && this.version > 3 ? [] : this.extracted), ...this.updated];
    const forgotten = [...requiredFields, ...optionalFields].filter((name) => !kept.includes(name));
    this.data = Object.fromEntries(Object.entries(this.data).filter(([name]) => !forgotten.includes(name)));
  }

  get #updates(): JsonObject {
    return Object.fromEntries(Object.entries(this.data).filter(([name]) => this.updated.includes(name)));
  }
}

/** The reason why a part of a turn was left out. */
const OVER_ALLOWANCE = 'The expressions, templates and checks of this turn take more than its allowance.';

function chainTooLong(chain: readonly ChainLink[]): TurnFailed {
  const links = chain.map(({ source, directive }) => `${source} ${jsonText(directive)}`);
  return new TurnFailed({
    kind: 'directive-chain',
    message: `The directives of this turn lead on without end: ${links.join(' → ')}`,
  });
}
