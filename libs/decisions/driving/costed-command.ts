import { Command } from '@nestjs/cqrs';
import { takeAmounts } from '#lib/operations';
import { type Spending, spendingMembers } from '#lib/decisions/session';

type Costs = { -readonly [Name in keyof Spending]: Spending[Name] };
const Base = Command as abstract new <Result>() => Command<Result> & Costs;

/** A command whose caller may state the cost of its proposal or decision: each member replaces what the specialist reports. */
export abstract class CostedCommand<Result> extends Base<Result> {}

takeAmounts(CostedCommand, spendingMembers, 'in place of what the specialist reports');
