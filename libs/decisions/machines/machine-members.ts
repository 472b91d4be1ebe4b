import type { DeclaredMembers } from '#lib/event-store';
import { decidingMembers } from './deciding-times.js';
import { propertyMembers } from './prove/property.js';
import type {
  CollapsePolicy,
  MachineDefinition,
  ProposingWorkflow,
  SpecialistDeclaration,
  StateDefinition,
  TransitionDefinition,
  TrustPolicy,
} from './machine-definition.js';

// The kinds of the members of definitions in all events: the graph of states and its participants are structure, every text for
// people and models is content.

export const trustMembers = {
  minComparisons: 'structure',
  minAlignment: 'structure',
} as const satisfies DeclaredMembers<TrustPolicy>;

export const collapseMembers = {
  spotCheckEvery: 'structure',
} as const satisfies DeclaredMembers<CollapsePolicy>;

const proposingWorkflowMembers = {
  name: 'structure',
  input: 'content',
} as const satisfies DeclaredMembers<ProposingWorkflow>;

/** The members of an execution mode. */
export const executionMembers = {
  strategyFnName: 'structure',
  strategyWebhookUrl: 'structure',
  webhookTokenName: 'structure',
  contextTemplate: 'content',
  contextFnName: 'structure',
  contextWebhookUrl: 'structure',
  workflow: proposingWorkflowMembers,
  modelId: 'structure',
  askReasoning: 'structure',
  modelParameters: 'content',
  backupModels: 'structure',
  systemPrompt: 'content',
  budget: { maxTokens: 'structure', maxUSD: 'structure', per: 'structure' },
} as const;

export const specialistMembers = {
  ...executionMembers,
  role: 'structure',
  specialistId: 'structure',
  isHuman: 'structure',
  personId: 'structure',
  threshold: 'structure',
  trust: trustMembers,
  disabled: 'structure',
  keepAlignment: 'structure',
} as const satisfies DeclaredMembers<SpecialistDeclaration>;

export const transitionMembers = {
  target: 'structure',
  description: 'content',
  parameters: 'content',
  onInvalidArguments: 'structure',
  needsPerson: 'content',
} as const satisfies DeclaredMembers<TransitionDefinition>;

/** The members that machines and states have. */
const shared = {
  consensusThreshold: 'structure',
  quorum: 'structure',
  ask: 'structure',
  trust: trustMembers,
  collapse: collapseMembers,
  people: decidingMembers,
} as const satisfies DeclaredMembers<
  Pick<MachineDefinition, 'consensusThreshold' | 'quorum' | 'ask' | 'trust' | 'collapse' | 'people'>
>;

const stateMembers = {
  prompt: 'content',
  transitions: { '*': transitionMembers },
  ...shared,
  after: [{ in: 'structure', transition: 'structure' }],
  specialists: [specialistMembers],
} as const satisfies DeclaredMembers<StateDefinition>;

export const machineMembers = {
  machineName: 'structure',
  initialState: 'structure',
  goalState: 'structure',
  states: { '*': stateMembers },
  specialists: [specialistMembers],
  ...shared,
  properties: [propertyMembers],
} as const satisfies DeclaredMembers<MachineDefinition>;
