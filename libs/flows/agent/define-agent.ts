import { type Json, type JsonObject, RedialError } from '#lib/kernel';
import type { AgentInput, FlowInput, StepInput, With } from './agent-definition.js';
import { inspectAgent } from './inspect-agent.rules.js';

type StepOf<Name extends string> = With<
  StepInput,
  { readonly collect?: readonly Name[]; readonly requires?: readonly Name[] }
>;

type FlowOf<Name extends string> = With<
  FlowInput,
  {
    readonly requiredFields?: readonly Name[];
    readonly optionalFields?: readonly Name[];
    readonly initialData?: { readonly [Field in Name]?: Json };
    readonly steps: readonly StepOf<Name>[];
  }
>;

/** An agent whose flows may name only properties of its schema. */
export type AgentOf<Properties extends JsonObject> = With<
  AgentInput,
  {
    /** JSON Schema of the data. */
    readonly schema: JsonObject & { readonly type: 'object'; readonly properties: Properties };
    readonly initialData?: { readonly [Field in keyof Properties]?: Json };
    readonly flows: readonly FlowOf<NoInfer<keyof Properties & string>>[];
  }
>;

/** A definition breaks a rule of agents. */
export class InvalidAgent extends RedialError {}

/**
 * An agent definition in TypeScript: the compiler checks the names of data against the properties of its schema.
 * Give the result to `defineAgent` of the facade, or to `POST /v1/agents`.
 * @throws InvalidAgent with the problems of the definition, except unknown functions and tools
 */
export function defineAgent<const Properties extends JsonObject>(agent: AgentOf<Properties>): AgentInput {
  const { errors } = inspectAgent(agent);
  if (errors.length === 0) return agent;
  const why = errors.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
  throw new InvalidAgent(`agent ${agent.agentName}`, why, 'Correct the definition');
}
