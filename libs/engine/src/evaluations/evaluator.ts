import {
  cannotBeAsked,
  evaluationDecider,
  type EvaluationEvent,
  type EvaluationStarted,
  type EvaluationView,
  evaluationView,
  type Sample,
  unknownEvaluation,
} from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import { derivedId, fold, isRejection, type RecordedEvent } from '#lib/kernel';
import { accuracyOf, pastRounds, type ReadStore, type SpecialistName } from '#lib/projections';
import {
  type ProposerExecution,
  type Arbiter,
  type Proposer,
  specialistDecider,
  specialistVersion,
  unknownSpecialist,
} from '#lib/specialist';
import type { RunnerSettings } from '../settings/runner-settings.js';
import {
  type CommandContext,
  type CommandWriter,
  type Written,
  type ReadSide,
  refuse,
} from '#lib/operations';
import { type Leases, underLease } from '#lib/workflow';
import { inParallel } from '../process-manager/in-parallel.js';
import type { Solicitor } from '../solicitations/solicitor.js';
import { type SpecialistLookup, specialistTarget } from '#lib/specialists';

import { isOutage } from '../workflows/is-outage.js';
import type { Evaluation, RecordedEvaluation } from './evaluations.views.js';
import { type CheckedInput, checkedInput, type EvaluationInput } from './evaluation-input.js';
import { EvaluationUnfinished } from './evaluation-unfinished.js';
import type { Samples } from './samples.js';
import { Turns } from './turns.js';

type Name = Required<SpecialistName>;
type History = readonly RecordedEvent<EvaluationEvent>[];

/** Rounds that a specialist is asked about at the same time. */
const ASKED_AT_ONCE = 4;

/** Compares specialists with what was decided. The sessions it was decided in are read, and stay as they are. */
export class Evaluator {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
    private readonly solicitor: Solicitor,
    private readonly specialists: SpecialistLookup,
    private readonly samples: Samples,
    private readonly leases: Leases,
    private readonly runner: RunnerSettings,
  ) {}

  /**
   * A repeat under the same key is about the same rounds: it goes on where the first was cut off, and is answered alike.
   * @throws RejectionError before anything is written when there is no such specialist, or this process cannot ask it
   * @throws EvaluationUnfinished when it was begun, and the store or the process failed before its end
   */
  async evaluate(
    given: EvaluationInput,
    context: CommandContext,
  ): Promise<Written<Evaluation | RecordedEvaluation>> {
    const input = checkedInput(given);
    const evaluationId = derivedId(context.commandId, 'evaluation');
    await this.writer.checkKey({ category: 'evaluation', id: evaluationId }, context);
    if (input.against === 'record')
      return { value: await this.recorded(input), position: undefined, created: false };
    if ((await this.history(evaluationId)).length === 0)
      await this.start(evaluationId, input.against, input, context);
    await this.finishForCaller(evaluationId);
    const history = await this.history(evaluationId);
    return { value: viewOf(evaluationId, history), position: history.at(-1)?.position, created: true };
  }

  /** Finishes one that nobody seems to run; `false` when somebody does. */
  async recover(evaluationId: string): Promise<boolean> {
    return (await this.finishUnderLease(evaluationId, 'recovery')) ?? false;
  }

  /** The current evaluation. @throws RejectionError when it does not exist */
  async get(evaluationId: string): Promise<EvaluationView> {
    return viewOf(evaluationId, await this.history(evaluationId));
  }

  private async recorded({ maxRounds, ...input }: CheckedInput): Promise<RecordedEvaluation> {
    const name = await this.nameOf(input);
    const { machineName = name.machineName } = input;
    await this.reads.waitForHead(['decisions', 'specialists']);
    const accuracy = await accuracyOf(this.store.db, name, { machineName, lookback: maxRounds });
    if (isRejection(accuracy)) return refuse(accuracy);
    return { ...accuracy, machineName, against: 'record' };
  }

  private async start(
    evaluationId: string,
    against: EvaluationStarted['data']['against'],
    { maxRounds: limit, ...input }: CheckedInput,
    context: CommandContext,
  ): Promise<void> {
    const specialist = await this.specialist(await this.nameOf(input), input.specialistVersion);
    this.solicitor.check(executionOf(specialist));
    const { machineName = specialist.machineName } = input;
    await this.reads.waitForHead([against]);
    const rounds = await pastRounds(this.store.db, { machineName, against, limit });
    const samples = rounds.map((round): Sample => ({
      sampleId: derivedId(evaluationId, `${round.sessionId}/${round.roundId}`),
      ...round,
    }));
    const { specialistId, version: specialistVersion, machineName: specialistMachine } = specialist;
    const asked = { specialistId, specialistVersion, specialistMachine };
    const data = { evaluationId, ...asked, machineName, against, samples };
    const target = { category: 'evaluation', id: evaluationId } as const;
    await this.writer.send(evaluationDecider, target, { type: 'StartEvaluation', data }, context);
  }

  /** Beside whoever has the lease, where somebody has: nothing is done twice. */
  private async finishForCaller(evaluationId: string): Promise<void> {
    try {
      if (!(await this.finishUnderLease(evaluationId, 'evaluations'))) await this.finish(evaluationId);
    } catch (error) {
      throw isOutage(error) ? new EvaluationUnfinished(evaluationId, error) : error;
    }
  }

  /**
   * Recovery leaves alone what is finished under this lease. An owner for each, so that the recovery of this very process is
   * kept out too. `undefined` where somebody else has it.
   */
  private async finishUnderLease(
    evaluationId: string,
    as: 'evaluations' | 'recovery',
  ): Promise<true | undefined> {
    const name = `evaluate-${evaluationId}`;
    const holder = {
      leases: this.leases,
      owner: `${this.runner.owner}-${as}`,
      ttlMs: this.runner.leaseTtlMs,
    };
    return (await underLease(holder, name, () => this.finish(evaluationId)))?.result;
  }

  private async finish(evaluationId: string): Promise<true> {
    const history = await this.history(evaluationId);
    const evaluation = fold(evaluationDecider, history);
    const [started] = history;
    if (!evaluation || started?.type !== 'EvaluationStarted') return refuse(unknownEvaluation(evaluationId));
    const judged = new Set(evaluation.judged.map(({ sampleId }) => sampleId));
    const open = evaluation.samples.filter(({ sampleId }) => !judged.has(sampleId));
    if (open.length === 0) return true;
    const { specialistId, specialistVersion, specialistMachine: machineName } = evaluation;
    const execution = executionOf(await this.specialist({ specialistId, machineName }, specialistVersion));
    this.solicitor.check(execution);
    const of = { started, turns: new Turns() };
    await inParallel(open, ASKED_AT_ONCE, (sample) => this.samples.judge({ ...of, sample }));
    return true;
  }

  private async nameOf({ specialistId, specialistMachine, machineName }: EvaluationInput): Promise<Name> {
    const given = {
      specialistId,
      ...(specialistMachine !== undefined && { machineName: specialistMachine }),
    };
    return { specialistId, machineName: await this.specialists.machineOf(given, machineName) };
  }

  private async specialist(name: Name, version?: number): Promise<Proposer | Arbiter> {
    const state = await this.writer.state(specialistDecider, specialistTarget(name));
    return specialistVersion(state, version) ?? refuse(unknownSpecialist(name.specialistId, version));
  }

  private history(evaluationId: string): Promise<History> {
    return this.log.readStream<EvaluationEvent>(this.log.streams.of('evaluation', evaluationId));
  }
}

function viewOf(evaluationId: string, history: History): EvaluationView {
  return evaluationView(history) ?? refuse(unknownEvaluation(evaluationId));
}

/** Of one that is disabled, too: evaluating it is how one finds out whether to enable it. @throws RejectionError */
function executionOf(specialist: Proposer | Arbiter): ProposerExecution {
  const { specialistId, role } = specialist;
  if (role === 'arbiter') return refuse(cannotBeAsked(specialistId, 'it is an arbiter'));
  if (specialist.isHuman || !specialist.execution)
    return refuse(cannotBeAsked(specialistId, 'a human is never asked by the engine'));
  return specialist.execution;
}
