import { IsIn, IsString } from 'class-validator';
import { Describe, IsTime, IsWhole, Optional } from '#lib/operations';

const SET_ASIDE_STATUSES = ['set-aside', 'resumed', 'given-up'] as const;

/** Items that recovery set aside. */
export class SetAsideView {
  @IsString() stream!: string;

  @Describe('The workflow of the run; `session` for a session that is not driven on')
  @IsString()
  workflow!: string;

  @Describe('Why it cannot go on: of the last attempt')
  @IsString()
  failure!: string;

  @IsWhole(1) attempts!: number;

  @Describe('When the first attempt failed')
  @IsTime()
  since!: string;

  @Describe('What this process lacks. Absent if it lacks nothing that is known: it tries again by itself')
  @Optional()
  @IsString()
  needs?: string;

  @Describe('`resumed`: the retry has not failed')
  @IsIn(SET_ASIDE_STATUSES)
  status!: (typeof SET_ASIDE_STATUSES)[number];
}
