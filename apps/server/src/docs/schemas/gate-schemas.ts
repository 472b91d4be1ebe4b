import { choice, flag, json, list, number, object, ref, text, uuid, whole } from './schema.js';

const share = { type: 'number', minimum: 0, maximum: 1 };

const gate = { gateId: text, version: whole, machineVersion: whole, definition: ref('GateDefinition') };

export const gateSchemas = {
  GateDefinition: object({
    gateId: text,
    'prompt?': text,
    choices: { type: 'object', minProperties: 1, additionalProperties: ref('GateChoice') },
    'specialists?': list(ref('MachineDefinition.specialist')),
    'consensusThreshold?': share,
    'quorum?': { type: 'integer', minimum: 1 },
    'trust?': ref('MachineDefinition.trust'),
  }),
  GateChoice: object({
    'description?': text,
    'parameters?': json,
    'onInvalidArguments?': choice('accept', 'reject', 'reask'),
  }),
  Gate: object(gate),
  CreatedGate: object({ ...gate, 'actorTokens?': { type: 'object', additionalProperties: text } }),
  GateResult: object({
    gateId: text,
    sessionId: uuid,
    roundId: uuid,
    'decision?': text,
    'metaJson?': json,
    needsHuman: flag,
    isHuman: flag,
    reasoning: text,
    proposals: list(ref('Proposal')),
    failures: list(
      object({
        specialistId: text,
        failure: object({ kind: text, message: text, 'upstreamStatus?': whole }),
      }),
    ),
    'costUSD?': number,
    latencyMsec: number,
    'numInputTokens?': number,
    'numOutputTokens?': number,
  }),
};
