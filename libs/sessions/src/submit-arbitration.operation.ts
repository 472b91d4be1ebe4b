import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, type InputOf, IsId, IsName, Operation, Optional } from '#lib/operations';
import { sessionRejections } from '#lib/session';
import { CostedCommand } from './costed-command.js';
import { Arbitration } from './sessions.views.js';

@Operation({
  summary:
    'Put the proposals of the round before its arbiter; or, with a transition, force it as the human specialist who decides',
  http: 'POST /v1/sessions/:sessionId/arbitrations',
  cli: 'arbitrate <sessionId> --arbiter <specialistId>',
  mcp: 'operate',
  access: 'reviewer',
  answers: { 200: Arbitration },
  problems: [502, 503],
  destructive: true,
})
export class SubmitArbitration extends CostedCommand<Arbitration> {
  @IsId(sessionRejections.unknownSession)
  sessionId!: string;

  @Describe(
    'The arbiter that is to judge, instead of the one of the state; or the human who forces a transition',
    {
      example: 'reviewer',
    },
  )
  @Optional()
  @IsName()
  specialistId?: string;

  @Describe('Default: the current round; another one is stale')
  @Optional()
  @IsString()
  roundId?: string;

  @Describe('Forces this transition: for human specialists')
  @Optional()
  @IsString()
  transitionName?: string;

  @Describe("Stands in place of the winning proposal's")
  @Optional()
  @IsString()
  reasoning?: string;

  @Describe('Data of the decision')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}

/** The input of `submitArbitration`. */
export type SubmitArbitrationInput = InputOf<typeof SubmitArbitration>;

/** A person's decision. */
export type DecisionInput = SubmitArbitrationInput &
  Required<Pick<SubmitArbitrationInput, 'specialistId' | 'transitionName'>>;
