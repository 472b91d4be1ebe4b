import { Injectable } from '@nestjs/common';
import { functionsInPlace, type WithFunctions } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import {
  type CommandOptions,
  Dispatcher,
  type Facade,
  facadeOf,
  type InputOf,
  refuse,
  refuseMembers,
} from '#lib/operations';
import { type AgentInput, type MessageDelta, MessageDeltas } from '#lib/flows';
import { type RunDelta, RunDeltas, Runs } from '#lib/runs/runs';
import { WorkflowRegistry } from '#lib/workflow';
import { sessionRejections } from '#lib/decisions/session';
import {
  type Arbitration,
  CreateSession,
  type CreateSessionInput,
  type DecisionInput,
  RunSession,
  type Session,
  SubmitArbitration,
} from '#lib/decisions/driving';
import { type Declared, operations } from './declared-operations.js';
import { type Streamed, streamed } from './streamed.js';
import { FunctionsByName } from './wiring/functions-by-name.js';
import { type LogReplayReport, verifyLog } from './verify-log.js';
import { type GateResult, InvokeGate } from '#lib/decisions/gates';
import {
  type ArbiterRegistration,
  type DefinedMachine,
  type InNames,
  type MachineInputOfCode,
  type ProposerRegistration,
  type RegisteredSpecialist,
  Registrar,
} from '#lib/decisions/registration';

/** An invocation of a gate by code. */
type GateInvocation = InputOf<typeof InvokeGate> & {
  readonly runtimeSpecialists?: {
    readonly proposers?: readonly Omit<ProposerRegistration, 'machineName'>[];
    readonly arbiter?: Omit<ArbiterRegistration, 'machineName'>;
  };
};

/** The longest wait that `getRun` takes. */
const WAIT_MS = 60_000;

type AnswerOf<Id extends keyof Facade<Declared>> = Awaited<ReturnType<Facade<Declared>[Id]>>;

/** Operations that have a method of their own here. */
type Overridden = 'runSession' | 'invokeGate' | 'defineMachine' | 'defineAgent' | 'registerTool';

/** The session to run: an existing one, or a new one. */
export type RunInput = ({ readonly sessionId: string } | CreateSessionInput) & { readonly maxTicks?: number };

/**
 * The engine for code: a method for each declared operation, and some for code alone. Refusals are thrown as `RejectionError`, a proposer
 * that gave no proposal as `ProposerFailed`. Reads see the events that this process has written.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the constructor adds the methods
export interface Redial extends Omit<Facade<Declared>, Overridden> {}

/** See the interface: it has the methods of the declared operations. */
@Injectable()
export class Redial {
  readonly #declared: Pick<Facade<Declared>, 'defineAgent' | 'registerTool'>;

  constructor(
    /** Executes declared operations, as every door does. */
    readonly dispatcher: Dispatcher,
    private readonly registrar: Registrar,
    private readonly log: EventLog,
    private readonly workflows: WorkflowRegistry,
    private readonly deltas: RunDeltas,
    private readonly runs: Runs,
    private readonly functions: FunctionsByName,
  ) {
    const {
      runSession: _run,
      invokeGate: _invoke,
      defineMachine: _define,
      defineAgent,
      registerTool,
      ...methods
    } = facadeOf(dispatcher, operations) as Facade<Declared>;
    Object.assign(this, methods);
    this.#declared = { defineAgent, registerTool };
  }

  /**
   * Defines a machine. In code a function may replace its name in `strategyFnName` and `contextFnName` of the specialists that the machine
   * declares; the log has it as `<machine>/<specialist>`. Functions are not in the log: such a machine must be defined again after every
   * start.
   */
  defineMachine(machine: MachineInputOfCode, options: CommandOptions = {}): Promise<DefinedMachine> {
    return this.registrar.defineMachine(machine, options);
  }

  /**
   * Defines an agent. In code a function may replace its name, and a bare function the object `{ fn }`; its name in the log is its path in
   * the agent. Such an agent must be defined again after every start.
   */
  async defineAgent(
    agent: WithFunctions<AgentInput>,
    options: CommandOptions = {},
  ): Promise<AnswerOf<'defineAgent'>> {
    return this.functions.inPlace(functionsInPlace<AgentInput>(agent.agentName, agent), (named) =>
      this.#declared.defineAgent(named, options),
    );
  }

  /** Registers a tool. In code a function may be its `execution.fnName`; the log has it as `tools/<toolId>/execution`. */
  async registerTool(
    tool: WithFunctions<Parameters<Facade<Declared>['registerTool']>[0]>,
    options: CommandOptions = {},
  ): Promise<AnswerOf<'registerTool'>> {
    type Input = Parameters<Facade<Declared>['registerTool']>[0];
    return this.functions.inPlace(functionsInPlace<Input>(`tools/${tool.toolId}`, tool), (named) =>
      this.#declared.registerTool(named, options),
    );
  }

  /**
   * Registers a proposer, as `registerSpecialist` does, with functions in place of names. Functions are not in the log: a proposer with one
   * must be registered again after every start.
   */
  registerProposer(
    registration: InNames<ProposerRegistration>,
    options: CommandOptions = {},
  ): Promise<RegisteredSpecialist> {
    return this.registrar.registerProposer(registration, options);
  }

  /** Registers an arbiter, as `registerProposer` does a proposer. */
  registerArbiter(
    registration: InNames<ArbiterRegistration>,
    options: CommandOptions = {},
  ): Promise<RegisteredSpecialist> {
    return this.registrar.registerArbiter(registration, options);
  }

  /**
   * Steps until a session is at rest or needs a person; without a `sessionId` a session is started first. A machine without a
   * proposer gets one that takes the first transition, one without an arbiter gets one that takes the first proposal.
   */
  async runSession(input: RunInput, options: CommandOptions = {}): Promise<Session> {
    if ('sessionId' in input) return (await this.dispatcher.dispatch(RunSession, input, options)).value;
    const { maxTicks, ...started } = input;
    const { sessionId } = (await this.dispatcher.dispatch(CreateSession, started, options)).value;
    return this.runSession({ sessionId, ...(maxTicks !== undefined && { maxTicks }) }, options);
  }

  /**
   * Invokes a gate. `runtimeSpecialists` are registered with it first, with functions in place of names; they take part in a role
   * without a specialist that the gate declares.
   */
  async invokeGate(
    { runtimeSpecialists = {}, ...input }: GateInvocation,
    options: CommandOptions = {},
  ): Promise<GateResult> {
    const { idempotencyKey: _key, ...caller } = options;
    const { gateId: machineName } = input;
    const { proposers = [], arbiter, ...others } = runtimeSpecialists;
    refuseMembers(Object.keys(others), ['proposers', 'arbiter'], 'runtimeSpecialists');
    for (const proposer of proposers) await this.registerProposer({ ...proposer, machineName }, caller);
    if (arbiter) await this.registerArbiter({ ...arbiter, machineName }, caller);
    return (await this.dispatcher.dispatch(InvokeGate, input, options)).value;
  }

  /**
   * A person decides the current round and may override all proposals.
   * @throws RejectionError with the code `not-decided` if a guard refuses it: the round is over, the caller is not a person, or the state
   * has no such transition
   */
  async decide(input: DecisionInput, options: CommandOptions = {}): Promise<Arbitration> {
    const { value } = await this.dispatcher.dispatch(SubmitArbitration, input, options);
    return value.executed ? value : refuse(sessionRejections.notDecided(value));
  }

  /**
   * Sends a message, as `sendMessage` does, and gives the parts of the agent's message as they come, then the turn. Only models that stream
   * give parts. They are for display: only the turn is recorded.
   */
  streamMessage(
    input: Parameters<Facade<Declared>['sendMessage']>[0],
    options: CommandOptions = {},
  ): AsyncGenerator<Streamed<MessageDelta, AnswerOf<'sendMessage'>>, void> {
    const turnOf = (stream: string) => this.log.streams.parse(stream)?.id ?? '';
    return streamed(
      (tell) => {
        const messages = new MessageDeltas(turnOf, tell);
        return this.deltas.listen(input.conversationId, (delta, stepId) => messages.add(delta, stepId));
      },
      () => this.sendMessage(input, options),
    );
  }

  /** Asks a proposer, as `submitProposal` does, and gives the parts of the models' replies in the session as they come, then the proposal. */
  streamProposal(
    input: Parameters<Facade<Declared>['submitProposal']>[0],
    options: CommandOptions = {},
  ): AsyncGenerator<Streamed<RunDelta, AnswerOf<'submitProposal'>>, void> {
    return streamed(
      (tell) => this.deltas.listen(input.sessionId, tell),
      () => this.submitProposal(input, options),
    );
  }

  /**
   * The parts of the models' replies in a run from now on, then the run, once it has ended or itself waits for an answer.
   * @throws RejectionError `unknown-run`
   */
  async *streamRun(
    input: { readonly runId: string },
    options: CommandOptions = {},
  ): AsyncGenerator<Streamed<RunDelta, AnswerOf<'getRun'>>, void> {
    const stream = await this.runs.streamOf(input.runId);
    let isLeft = false;
    const settled = async (): Promise<AnswerOf<'getRun'>> => {
      const run = await this.getRun({ runId: input.runId, waitMs: WAIT_MS }, options);
      return run.status === 'running' && !isLeft ? settled() : run;
    };
    try {
      yield* streamed((tell) => this.deltas.listen(stream, tell), settled);
    } finally {
      isLeft = true;
    }
  }

  /** Replays every session, conversation and experiment of the log, in the order they were created. */
  replayAll(): AsyncGenerator<LogReplayReport> {
    return verifyLog(this.log, this.workflows);
  }
}
