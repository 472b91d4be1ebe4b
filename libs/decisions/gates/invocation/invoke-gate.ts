import { Command } from '@nestjs/cqrs';
import { IsObject, IsString, MaxLength } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, Fits, IsName, Operation, Optional } from '#lib/operations';
import { unknownGate } from '../gate.rejections.js';
import { GateResult } from '../gates.views.js';
import { type EarlierDecision, HISTORY } from './earlier-decision.js';

@Operation({
  summary: 'Invoke a gate: its proposers are asked at the same time, then its arbiter decides',
  http: 'POST /v1/gates/:gateId/invocations',
  cli: 'gates invoke <gateId>',
  mcp: 'propose',
  access: 'operator',
  answers: { 201: GateResult },
  problems: [503],
})
export class InvokeGate extends Command<GateResult> {
  @IsName(unknownGate) gateId!: string;

  @Describe('The subject of the decision: proposers see it')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe("The question of this invocation: follows the gate's prompt after a blank line")
  @Optional()
  @IsString()
  @MaxLength(65_536)
  promptSuffix?: string;

  @Describe(
    'Earlier decisions, oldest first, such as the history of a session: proposers and arbiters see them',
  )
  @Optional()
  @Fits(HISTORY)
  history?: readonly EarlierDecision[];
}
