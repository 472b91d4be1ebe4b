import type { JsonObject } from '#lib/kernel';
import { budgetSchema, modelParametersSchema } from '#lib/call-rules';

import { afterSchema, decidingSchema } from './deciding-times.js';
import { propertiesSchema } from './prove/property.js';

/** The JSON Schema of a transition's `needsPerson`. */
const needsPersonSchema: JsonObject = {
  description:
    'People alone execute it: always, or if the expression over `args, metaJson, session` is not false.',
  type: ['boolean', 'object'],
  properties: { if: { type: 'string', description: 'An expression that fails counts as true.' } },
  required: ['if'],
  additionalProperties: false,
  not: { const: false },
};

const text = { type: 'string' };
const flag = { type: 'boolean' };
const share = { type: 'number', minimum: 0, maximum: 1 };

/** The members that machines and states have. */
const shared = {
  consensusThreshold: share,
  quorum: { type: 'integer', minimum: 1, description: 'With fewer proposals than this a person decides.' },
  ask: {
    enum: ['in turn', 'together'],
    description: 'Whether proposers are asked one after another (default) or at the same time.',
  },
  trust: { $ref: '#/$defs/trust' },
  collapse: { $ref: '#/$defs/collapse' },
  people: { $ref: '#/$defs/people' },
};
const name = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$' };
const stateName = { type: 'string', minLength: 1 };
const notEmpty = { minLength: 1 };
const specialists = { type: 'array', items: { $ref: '#/$defs/specialist' } };

/** The schema of a trust policy, of machines, states and arbiters. */
export const trustSchema: JsonObject = {
  description: 'Below it the proposals of a proposer have no weight.',
  type: 'object',
  properties: {
    minComparisons: { type: 'integer', minimum: 0, description: 'Comparisons with people.' },
    minAlignment: { ...share, description: 'Alignment score.' },
  },
  additionalProperties: false,
};

/**
 * The JSON Schema (draft 2020-12) of machine files, against which `inspectMachine` checks their shape. Further checks (targets
 * that exist, parameters that compile) are its own.
 */
export const machineSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Redial machine',
  description: 'States, and the transitions that lead out of each.',
  type: 'object',
  properties: {
    $schema: { ...text, description: 'For editors; not part of the machine.' },
    machineName: { ...name, description: 'Names the machine; a changed definition is its next version.' },
    initialState: { ...stateName, description: 'The state in which a session starts.' },
    goalState: { ...stateName, description: 'The state in which a session is done.' },
    defaultState: { ...stateName, description: 'The old name of goalState.', deprecated: true },
    states: { type: 'object', propertyNames: notEmpty, additionalProperties: { $ref: '#/$defs/state' } },
    specialists: {
      ...specialists,
      description: 'Registered with the machine: a changed body is the next version of its specialist.',
    },
    ...shared,
    properties: propertiesSchema,
  },
  required: ['machineName', 'initialState', 'states'],
  if: { not: { required: ['defaultState'] } },
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
  then: { required: ['goalState'] },
  additionalProperties: false,
  $defs: {
    state: {
      description: 'A state without transitions ends a session.',
      type: 'object',
      properties: {
        prompt: { ...text, description: 'The question to decide in this state.' },
        transitions: {
          description: 'The ways out, by name. Order has meaning.',
          type: 'object',
          propertyNames: notEmpty,
          additionalProperties: { $ref: '#/$defs/transition' },
        },
        ...shared,
        after: afterSchema,
        specialists: {
          ...specialists,
          description: "Take part in this state instead of the machine's specialists of the same role.",
        },
      },
      additionalProperties: false,
    },
    transition: {
      description: 'The name of a state, or an object that has it as its target.',
      type: ['string', 'object'],
      properties: {
        target: { ...text, description: 'The name of the state it leads to.' },
        description: { ...text, description: 'Offers the transition to models as a tool; may be empty.' },
        parameters: { type: 'object', description: "A JSON Schema of the tool's arguments." },
        onInvalidArguments: { ...text, enum: ['accept', 'reject', 'reask'], default: 'accept' },
        needsPerson: needsPersonSchema,
      },
      required: ['target'],
      additionalProperties: false,
    },
    trust: trustSchema,
    collapse: {
      description:
        'The champion decides alone: the enabled proposer with the highest alignment, where that is at least 0.8.',
      type: 'object',
      properties: {
        spotCheckEvery: {
          type: 'integer',
          minimum: 1,
          description: 'One round in this many goes to a person in any case. Absent: none does.',
        },
      },
      additionalProperties: false,
    },
    people: decidingSchema,
    specialist: {
      type: 'object',
      properties: {
        role: { ...text, enum: ['proposer', 'arbiter'] },
        specialistId: name,
        isHuman: flag,
        personId: {
          ...name,
          description: "For a human: the person who acts as them. Default: the specialist's own id.",
        },
        strategyFnName: text,
        strategyWebhookUrl: text,
        contextFnName: text,
        contextTemplate: text,
        contextWebhookUrl: text,
        modelId: text,
        askReasoning: {
          ...flag,
          description: 'Every tool that the model is offered also asks for its reasoning.',
        },
        workflow: {
          description: 'The workflow that proposes.',
          type: 'object',
          properties: {
            name: text,
            input: {
              type: 'object',
              description:
                'Its input without `exits`, which are the transitions of the state. Texts in it are Mustache templates over the context.',
            },
          },
          required: ['name'],
          additionalProperties: false,
        },
        modelParameters: {
          ...modelParametersSchema,
          description: 'Sent to the model. Without it, temperature 0.',
        },
        backupModels: {
          type: 'array',
          items: text,
          maxItems: 8,
          description: 'Asked in this order if the provider of the model before fails.',
        },
        budget: { ...budgetSchema, description: 'A model call that may exceed it is not made.' },
        systemPrompt: { ...text, description: 'Mustache: replaces the text of the system message.' },
        webhookTokenName: text,
        threshold: share,
        trust: shared.trust,
        disabled: {
          ...flag,
          description:
            'Registers a new version disabled. If another entry of the same id is not disabled: left out in this place alone.',
        },
        keepAlignment: {
          ...flag,
          description: 'A new version starts with the alignment of the one before.',
        },
      },
      required: ['role', 'specialistId'],
      additionalProperties: false,
    },
  },
};
