import { arbitration, arbitrationEnd, arbitrationRequests } from '#lib/decisions/arbitration';
import { arbiterRef, proposerMode } from '#lib/decisions/driving/core';
import type { MachineDefinition } from '#lib/decisions/machines';
import { ownSpecialist, ownSpecialists } from '#lib/decisions/registration/core';
import {
  type ArbiterRef,
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
  type SessionState,
} from '#lib/decisions/session';
import {
  type ProposerMode,
  solicitation,
  type SolicitationInput,
  solicitationRequests,
  solicitationResult,
} from '#lib/decisions/solicitation';
import { type ModelRoute, splitModelId } from '#lib/call-rules';
import { copiedIn, type EventLog, idInStream, StreamHistory } from '#lib/event-store';
import {
  type Event,
  fold,
  isRejection,
  type Json,
  type JsonObject,
  jsonText,
  present,
  type RecordedEvent,
} from '#lib/kernel';
import { commandsOf } from '#lib/runs/runs/core';
import { contextOf, type RunEnd, type Workflow, type WorkflowStarted } from '#lib/workflow';
import { type Change, changeOf, type Changes } from './changes.js';
import { RunsOfToday } from './run-of-today.js';
import type { Today } from './today.js';

type Recorded = RecordedEvent<SessionEvent>;

/** The runs that sessions ask for. */
const ASKED: readonly {
  readonly workflow: Workflow;
  readonly askedBy: (event: SessionEvent) => string | undefined;
}[] = [
  { workflow: solicitation, askedBy: solicitationRequests.askedBy },
  { workflow: arbitration, askedBy: arbitrationRequests.askedBy },
];

/**
 * Decides each recorded command of a session again, with today's machine, and asks its proposers and arbiters again with the recorded
 * replies. The copied events of a fork are taken as they are, but for the machine. It ends at the first event that differs: what would come after it is not in the record.
 */
export class SessionOfToday {
  readonly #runs: RunsOfToday;
  /** The ends of today's runs, by id. */
  readonly #ends = new Map<string, RunEnd>();
  #state: SessionState = sessionDecider.initialState;
  #past: readonly Recorded[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly today: Today,
    private readonly changes: Changes,
  ) {
    this.#runs = new RunsOfToday(log, today, changes);
  }

  async walk(stream: string): Promise<void> {
    const events = await this.log.readStream<SessionEvent>(stream);
    const copied = copiedIn(events);
    this.#past = events.slice(0, copied).map((event) => this.#withMachineOfToday(event));
    this.#state = fold(sessionDecider, this.#past);
    for (const group of commandsOf(events.slice(copied))) {
      const change = this.#decide(group);
      if (change) {
        this.changes.decisions = change;
        return;
      }
      for (const event of this.#past.slice(-group.length)) await this.#askAgain(event);
    }
  }

  /** Decisions after the copied events follow today's machine, unless the fork was given another one. */
  #withMachineOfToday(copied: Recorded): Recorded {
    if (copied.type !== 'SessionCreated') return copied;
    const machine = this.today.machine(copied.data.machine.machineName);
    return machine ? { ...copied, data: { ...copied.data, machine } } : copied;
  }

  /** @returns the first event that differs */
  #decide(group: readonly Recorded[]): Change | undefined {
    const [first] = group;
    if (!first) return undefined;
    const command = sessionDecider.rebuild(first.metadata.command, group, idInStream(first.stream));
    const decision = sessionDecider.decide(this.#commandOfToday(command), this.#state);
    if (isRejection(decision)) return { ...placeOf(first), recorded: first.type, today: decision.message };
    for (const [index, recorded] of group.entries()) {
      const change = changeOf(placeOf(recorded), decided(recorded), decided(decision[index]));
      if (change) return change;
    }
    const more = decision[group.length];
    if (more) return changeOf(placeOf(first), undefined, more);
    const events = group.map((recorded, index) => ({ ...recorded, ...decision[index] }));
    this.#past = [...this.#past, ...events];
    this.#state = fold(sessionDecider, events, this.#state);
    return undefined;
  }

  #commandOfToday(command: SessionCommand): SessionCommand {
    switch (command.type) {
      case 'CreateSession': {
        const machine = this.today.machine(command.data.machine.machineName);
        return machine ? { ...command, data: { ...command.data, machine } } : command;
      }
      case 'SubmitArbitration': {
        const { arbiter } = command.data;
        return arbiter ? { ...command, data: { ...command.data, arbiter: this.#arbiter(arbiter) } } : command;
      }
      case 'CloseSolicitation': {
        const end = this.#ends.get(command.data.solicitationId);
        return end ? { ...command, data: { ...command.data, result: solicitationResult(end) } } : command;
      }
      case 'CloseArbitration': {
        const end = this.#ends.get(command.data.arbitrationId);
        return end ? { ...command, data: { ...command.data, result: arbitrationEnd(end) } } : command;
      }
      default:
        return command;
    }
  }

  #arbiter(recorded: ArbiterRef): ArbiterRef {
    const declared = (this.#own ? ownSpecialists(this.#own) : []).find(
      (one) => one.specialistId === recorded.specialistId && one.role === 'arbiter',
    );
    return declared ? { ...arbiterRef(declared), specialistVersion: recorded.specialistVersion } : recorded;
  }

  /** The machine whose specialists count: today's, or the one that the fork was given. Without a machine of today, the recorded ones count. */
  get #own(): { readonly machine: MachineDefinition } | undefined {
    const session = this.#state;
    const isKnown = session && this.today.machine(session.machineName) !== undefined;
    return isKnown ? { machine: session.machine } : undefined;
  }

  async #askAgain(request: Recorded): Promise<void> {
    for (const { workflow, askedBy } of ASKED) {
      const runId = askedBy(request);
      if (runId === undefined) continue;
      const recorded = await this.log.readStream(this.log.streams.of(workflow.name, runId));
      const [start] = recorded as readonly RecordedEvent<WorkflowStarted>[];
      if (!start) continue;
      const { roundId } = placeOf(request);
      const context = this.#contextOf(workflow, start, request);
      const data = { ...start.data, facts: this.#factsOf(start.data) };
      const again = await this.#runs.run({
        recorded,
        start: { ...start, data },
        ...present({ context, roundId }),
      });
      if (again?.end) this.#ends.set(runId, again.end);
    }
  }

  #contextOf(
    workflow: Workflow,
    { data }: RecordedEvent<WorkflowStarted>,
    { revision }: Recorded,
  ): Json | undefined {
    const rules = workflow.versions[this.today.rulesOf(data)?.version ?? data.version];
    return rules && contextOf(rules, new StreamHistory(this.#past.slice(0, revision + 1)));
  }

  /** The facts with today's execution of the proposer. The fork may have changed the proposer: the recorded one then counts. */
  #factsOf({ facts, input }: WorkflowStarted['data']): WorkflowStarted['data']['facts'] {
    const { specialistId = '' } = input as JsonObject & Partial<SolicitationInput>;
    const { proposer } = facts as { proposer?: Json };
    const declared = this.#own && ownSpecialist(this.#own, specialistId);
    const execution = declared?.role === 'proposer' ? declared.execution : undefined;
    const isChanged = this.#state?.fork?.specialists[specialistId] !== undefined;
    if (proposer === undefined || !execution || isChanged) return facts;
    const routes = routesOf(proposer as JsonObject & ProposerMode);
    const mode = proposerMode(execution, { of: routes });
    return { ...facts, proposer: JSON.parse(jsonText(mode)) as Json };
  }
}

/** An event without its machine and clocks: they may change without a change of decisions. */
function decided(event: SessionEvent | undefined): Event | undefined {
  if (!event) return undefined;
  const { clockId: _c, endsClocks: _e, ...data } = event.data as JsonObject;
  if (event.type !== 'SessionCreated' && event.type !== 'SessionForked') return { type: event.type, data };
  const { machine: _m, machineHash: _h, ...others } = data;
  return { type: event.type, data: others };
}

function placeOf({ stream, revision, data }: Recorded) {
  const { roundId } = data as { readonly roundId?: string };
  return { stream, revision, ...(roundId !== undefined && { roundId }) };
}

/** The recorded routes of models. A model without one gets the first recorded route, with its own name. */
function routesOf(recorded: ProposerMode) {
  const known: readonly ModelRoute[] = recorded.kind === 'model' ? recorded.routes : [];
  return (modelId: string, backups: readonly string[] = []): readonly ModelRoute[] =>
    [modelId, ...backups].flatMap((one) => {
      const same = known.find((route) => route.modelId === one);
      const [first] = known;
      if (same || !first) return same ?? [];
      const { modelId: model, flags } = splitModelId(one);
      return { ...first, modelId: one, model, flags };
    });
}
