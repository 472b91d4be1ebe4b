import { Command } from '@nestjs/cqrs';
import { IsNumber, Min } from 'class-validator';
import { Describe, IsWhole, Optional } from '#lib/operations';

/** A command whose caller may state the cost of its proposal or decision. */
export abstract class CostedCommand<Result> extends Command<Result> {
  @Describe('In US dollars. This and the three below replace what the specialist reports')
  @Optional()
  @IsNumber()
  @Min(0)
  costUSD?: number;

  @Describe('Milliseconds that it took')
  @Optional()
  @IsNumber()
  @Min(0)
  latencyMsec?: number;

  @Optional()
  @IsWhole()
  numInputTokens?: number;

  @Optional()
  @IsWhole()
  numOutputTokens?: number;
}
