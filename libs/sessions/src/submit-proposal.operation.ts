import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Proposal } from '#lib/monitoring';
import { Describe, type InputOf, IsId, IsName, Operation, Optional } from '#lib/operations';
import { sessionRejections } from '#lib/session';
import { CostedCommand } from './costed-command.js';

@Operation({
  summary: 'Propose a transition for a specialist; without one the specialist is asked, and its model called',
  http: 'POST /v1/sessions/:sessionId/proposals',
  cli: 'propose <sessionId> [transitionName] --as <specialistId>',
  mcp: 'propose',
  access: 'reviewer',
  answers: { 201: Proposal },
  problems: [502, 503],
})
export class SubmitProposal extends CostedCommand<Proposal> {
  @IsId(sessionRejections.unknownSession)
  sessionId!: string;

  @Describe('The proposer', { example: 'clerk' })
  @IsName()
  specialistId!: string;

  @Describe('Default: the current round. For a past one the proposal is kept as late')
  @Optional()
  @IsString()
  roundId?: string;

  @Describe('States the proposal outright: one that the state offers')
  @Optional()
  @IsString()
  transitionName?: string;

  @Describe('Why')
  @Optional()
  @IsString()
  reasoning?: string;

  @Describe('Data of the proposal')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}

/** The input of `submitProposal`. */
export type SubmitProposalInput = InputOf<typeof SubmitProposal>;
