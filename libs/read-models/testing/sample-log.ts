import {
  EventCodec,
  type EventDefinitions,
  EventLog,
  type EventStore,
  InMemoryEventStore,
  StreamNames,
} from '#lib/event-store';
import { derivedId, type Event, type EventMetadata } from '#lib/kernel';
import { type MachineDefinition, machineEventDefinitions, machineHash } from '#lib/decisions/machines';
import { type SessionCreated, sessionEventDefinitions } from '#lib/decisions/session';
import { functionCallRules, llmCallRules, webhookCallRules } from '#lib/call-rules';
import { sampleRoute } from '#lib/call-rules/testing';
import type { SolicitationInput } from '#lib/decisions/solicitation';
import { specialistEventDefinitions } from '#lib/decisions/specialists';
import { runtimeEventDefinitions, type WorkflowStarted } from '#lib/workflow';

export type Category =
  | 'machine'
  | 'gate'
  | 'specialist'
  | 'person'
  | 'session'
  | 'task'
  | 'solicitation'
  | 'arbitration'
  | 'evaluation'
  | 'planner'
  | 'due_times';

/** An event with its stream. */
export interface PlacedEvent {
  readonly category: Category;
  readonly id: string;
  readonly event: Event;
  /** The session of a solicitation or arbitration; else the id. */
  readonly correlationId?: string;
  readonly metadata?: Partial<EventMetadata>;
}

export const NAMESPACE = '7d1f2c0e-6f52-4e4f-8a3c-2f1d9b7a5e60';

export function id(name: string): string {
  return derivedId(NAMESPACE, name);
}

/** @param more the events of a capability above this lib */
export function openLog(
  store: EventStore = new InMemoryEventStore(),
  more: readonly EventDefinitions[] = [],
): EventLog {
  const codec = new EventCodec([
    machineEventDefinitions,
    specialistEventDefinitions,
    sessionEventDefinitions,
    llmCallRules.definitions,
    functionCallRules.definitions,
    webhookCallRules.definitions,
    runtimeEventDefinitions,
    ...more,
  ]);
  return new EventLog(store, codec, new StreamNames());
}

/** The n-th event of a test happens n seconds after the start of 2026. */
export function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
}

/** Appends each event by itself, in order, and gives the position of the last one. */
export async function appendAll(
  log: EventLog,
  events: readonly PlacedEvent[],
  firstNumber = 0,
): Promise<string> {
  let position = '';
  for (const [index, { category, id: streamId, event, correlationId, metadata }] of events.entries()) {
    const n = firstNumber + index;
    const commandId = id(`command-${n}`);
    const appended = await log.append(log.streams.of(category, streamId), 'any', [
      {
        eventId: id(`event-${n}`),
        event,
        metadata: {
          occurredAt: timeOf(n),
          correlationId: correlationId ?? streamId,
          causationId: commandId,
          commandId,
          commandFingerprint: `print-${n}`,
          actor: 'operator',
          ...metadata,
        },
      },
    ]);
    ({ position } = appended);
  }
  return position;
}

/** Names that every object inherits, and texts that databases change or refuse, are used as names here. */
export const sampleMachine: MachineDefinition = {
  machineName: 'review',
  initialState: 'draft',
  goalState: 'done',
  consensusThreshold: 0.4,
  states: {
    draft: {
      prompt: 'Is it ready?',
      transitions: { approve: { target: 'constructor' }, constructor: { target: 'odd \ud800\0 name' } },
    },
    constructor: {
      transitions: { ['__proto__']: { target: 'done' }, back: { target: 'draft' } },
      specialists: [
        { role: 'proposer' as const, specialistId: 'specialist-1', strategyFnName: 'firstAvailable' },
      ],
    },
    'odd \ud800\0 name': {
      transitions: { finish: { target: 'done' }, stall: { target: 'stuck' } },
      specialists: [],
      consensusThreshold: 0.2,
    },
    stuck: {},
    done: { transitions: { reopen: { target: 'draft' } } },
  },
};

export function sessionCreated(sessionId: string, machine = sampleMachine): SessionCreated {
  return {
    type: 'SessionCreated',
    data: {
      sessionId,
      machineName: machine.machineName,
      machineHash: machineHash(machine),
      initialState: machine.initialState,
      roundId: id(`${sessionId}-round-0`),
      machine,
    },
  };
}

export function solicitationStarted(
  sessionId: string,
  specialistId = 'alice',
  modelId = 'model-a',
): WorkflowStarted {
  const input: SolicitationInput = {
    sessionId,
    roundId: id(`${sessionId}-round-0`),
    specialistId,
    specialistVersion: 1,
    machineName: 'review',
  };
  const proposer = { kind: 'model', context: { contextTemplate: '' }, routes: [sampleRoute(modelId)] };
  const policies = { maxAttempts: 1, callTimeoutMs: 1000, webhookTimeoutMs: 1000 };
  const facts = { proposer, policies, exemplars: [] };
  return { type: 'WorkflowStarted', data: { workflow: 'solicitation', version: 1, input, facts } };
}
