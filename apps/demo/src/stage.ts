import type { SessionView } from '#lib/decisions/session';
import {
  type Engine,
  followTimeline,
  paintFor,
  printLines,
  type Sink,
  TimelinePrinter,
} from '../../cli/src/index.js';
import type { Scenario } from './scenarios.js';

/** More than any path through the process; a live model could loop in it. */
const MAX_STEPS = 8;

/** Plays scenarios, each in a session of its own, and prints their events. */
export class Stage {
  readonly sessionIds: string[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly out: Sink,
  ) {}

  /** A proposer that fails, or a state for a person, ends a scenario, but not the demo. */
  async play(scenario: Scenario, heading: string, isScripted: boolean): Promise<void> {
    const paint = paintFor(this.out);
    const watch = isScripted || scenario.person ? [scenario.watch] : [];
    const { customer, text } = scenario.metaJson;
    printLines(this.out, ['', paint('bold', heading), ...watch, `${customer}: "${text}"`]);
    const { redial, log } = this.engine;
    const head = await log.store.head();
    const session = await redial.createSession({
      machineName: scenario.machineName ?? 'refunds',
      metaJson: scenario.metaJson,
    });
    this.sessionIds.push(session.sessionId);
    const printer = new TimelinePrinter(this.out);
    const followed = followTimeline(log, session.sessionId, head, (event) => printer.print(event));
    const end = await this.decide(session, scenario);
    await followed.end();
    printer.end();
    printLines(this.out, [`${' '.repeat(11)}  ${end}`]);
  }

  private async decide(session: SessionView, { person }: Scenario): Promise<string> {
    if (person) await this.decideByHand(session, person);
    const ran = await this.run(session);
    const { status, currentState } = (await this.approve()) ? await this.run(session) : ran;
    if (status === 'done') return `→ at rest in ${currentState}`;
    if (status === 'open') return `→ open in ${currentState} after ${MAX_STEPS} steps`;
    return `→ waits in ${currentState}: that is for a person to decide now${await this.deadline(session)}`;
  }

  /** The line about the due time of a waiting session's task, if it has one. */
  private async deadline({ sessionId }: SessionView): Promise<string> {
    const { items } = await this.engine.redial.listTasks({ sessionId });
    const [{ dueAt } = {}] = items;
    return dueAt === undefined ? '' : `, due ${dueAt}`;
  }

  private run({ sessionId }: SessionView): Promise<SessionView> {
    return this.engine.redial.runSession({ sessionId, maxTicks: MAX_STEPS });
  }

  /** Approves the calls of tools in the inbox. @returns whether there was one */
  private async approve(): Promise<boolean> {
    const { redial } = this.engine;
    const { items } = await redial.getInbox({});
    const approvals = items.flatMap((item) => (item.kind === 'approval' ? [item] : []));
    for (const { runId, awaitId } of approvals) {
      const payload = { approved: true, reason: 'The pictures show it.' };
      await redial.signalRun({ runId, name: 'approval', awaitId, payload }, { actor: 'refund-lead' });
    }
    return approvals.length > 0;
  }

  private async decideByHand(
    { sessionId }: SessionView,
    person: NonNullable<Scenario['person']>,
  ): Promise<void> {
    const { redial } = this.engine;
    const { proposalId, transitionName, toState } = await redial.submitProposal({ sessionId, ...person });
    await redial.executeTransition({ sessionId, proposalId, transitionName, toState });
  }
}
