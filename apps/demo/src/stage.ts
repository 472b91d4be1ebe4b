import { ProposerFailed } from '#lib/engine';
import type { SessionView } from '#lib/session';
import {
  driveSession,
  type Engine,
  followSession,
  NeedsPerson,
  paintFor,
  printLines,
  type Sink,
  TimelinePrinter,
} from '../../cli/src/index.js';
import type { Scenario } from './scenarios.js';

/** More than any way through the process; a live model could go round in it. */
const MAX_STEPS = 8;

/** Plays scenarios, each in a session of its own, and prints what happens. */
export class Stage {
  readonly sessionIds: string[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly out: Sink,
  ) {}

  /** A proposer that fails, and a state that is for a person, end a scenario: they do not end the demo. */
  async play(scenario: Scenario, heading: string, isScripted: boolean): Promise<void> {
    const paint = paintFor(this.out);
    const watch = isScripted || scenario.person ? [scenario.watch] : [];
    const { customer, text } = scenario.metaJson;
    printLines(this.out, ['', paint('bold', heading), ...watch, `${customer}: "${text}"`]);
    const { redial, log } = this.engine;
    const head = await log.store.head();
    const session = await redial.createSession({ machineName: 'refunds', metaJson: scenario.metaJson });
    this.sessionIds.push(session.sessionId);
    const printer = new TimelinePrinter(this.out);
    const followed = followSession(log, session.sessionId, head, (event) => printer.print(event));
    const end = await this.decide(session, scenario);
    await followed.end();
    printer.end();
    printLines(this.out, [`${' '.repeat(11)}  ${end}`]);
  }

  private async decide(session: SessionView, { person }: Scenario): Promise<string> {
    try {
      const begun = person ? await this.decideByHand(session, person) : session;
      const { currentState } = await driveSession(this.engine.redial, begun, MAX_STEPS);
      return `→ at rest in ${currentState}`;
    } catch (error) {
      const { currentState } = await this.engine.redial.getSession(session.sessionId);
      if (error instanceof NeedsPerson)
        return `→ open in ${currentState}: that state is for a person to decide`;
      if (error instanceof ProposerFailed)
        return `→ open in ${currentState}: ask again, ask somebody else, or decide by hand`;
      throw error;
    }
  }

  private async decideByHand(
    { sessionId }: SessionView,
    person: NonNullable<Scenario['person']>,
  ): Promise<SessionView> {
    const { redial } = this.engine;
    const { proposalId, transitionName, toState } = await redial.submitProposal({ sessionId, ...person });
    return redial.executeTransition({ sessionId, proposalId, transitionName, toState });
  }
}
