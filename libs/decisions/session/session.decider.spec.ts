import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { machineHash } from '#lib/decisions/machines';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent } from './session.events.js';
import { arbitrate, closeArbitration, force, requestHuman, SPLIT } from './testing/arbitration-examples.js';
import {
  at,
  close,
  created,
  create,
  execute,
  executed,
  FAILURE,
  machine,
  proposed,
  SESSION_ID,
  setAside,
  solicit,
  solicited,
  submit,
} from './testing/session-examples.js';

const { given } = specify(sessionDecider);
const form = (errorClass: string) =>
  expect.stringMatching(new RegExp(`^\\[${errorClass}\\] .+: .+\\. .+\\.$`));

describe('CreateSession', () => {
  it('D-7: begins a session with the whole machine, at its initial state, in its first round', () => {
    given([])
      .when(create({ machineVersion: 3, metaJson: { order: 7 } }))
      .then([
        {
          type: 'SessionCreated',
          data: {
            sessionId: SESSION_ID,
            machineName: 'support',
            machineVersion: 3,
            machineHash: machineHash(machine),
            initialState: 'triage',
            roundId: 'round-1',
            metaJson: { order: 7 },
            machine,
          },
        },
      ]);
  });

  it('leaves absent what was not given', () => {
    given([]).when(create()).then([created()]);
    expect(Object.keys(created().data)).not.toContain('metaJson');
  });

  it('is refused when the session exists', () => {
    given([created()])
      .when(create())
      .thenRejected({ rejected: 'conflict', code: 'session-exists', message: form('SessionExists') });
  });

  const labels = { key: 'order 7', tags: { a: '1', b: '2' } };
  const before = created({ ...labels, metaJson: { order: { no: 7, of: 'ann' } } });
  const same = { ...labels, metaJson: { order: { of: 'ann', no: 7 } } };

  it('keeps the key and the tags', () => {
    given([])
      .when(create({ ...labels, metaJson: { order: { no: 7, of: 'ann' } } }))
      .then([before]);
  });

  it('makes nothing under a key that has the same body, in any order of its members, of any version', () => {
    given([before]).when(create(same)).thenNothing();
    given([before])
      .when(create({ ...same, tags: { b: '2', a: '1' }, machineVersion: 2 }))
      .thenNothing();
    given([before, proposed(), executed()]).when(create(same)).thenNothing();
  });

  it.each([
    ['other facts', { metaJson: { order: 8 } }],
    ['other tags', { tags: { a: '1' } }],
    ['a version that it names', { askedVersion: 2 }],
  ])('is refused under a key that has another body: %s', (_, over) => {
    given([before])
      .when(create({ ...same, ...over }))
      .thenRejected({ rejected: 'conflict', code: 'key-taken', existing: { sessionId: SESSION_ID } });
  });
});

describe('every other command', () => {
  it.each([
    solicit(),
    submit(),
    close({ failure: FAILURE.data.failure }),
    arbitrate(),
    force(),
    closeArbitration({ verdict: SPLIT }),
    requestHuman(),
    execute(),
  ])('is refused when there is no session: $type', (command) => {
    given([])
      .when(command)
      .thenRejected({ rejected: 'unknown', code: 'unknown-session', message: form('UnknownSession') });
  });

  it.each([solicit(), submit(), execute()])('is refused for a round that never was: $type', (command) => {
    given([created()])
      .when(at('round-9', command))
      .thenRejected({ rejected: 'conflict', code: 'unknown-round', message: form('UnknownRound') });
  });

  it.each([
    ['a state without transitions', 'lost'],
    ['the goal, whatever leads out of it', 'refunded'],
  ])('D-40: is refused at rest in %s', (_, state) => {
    const history = [created(), executed({ transitionName: 'refund', toState: state })];
    const isGoal = state === 'refunded';
    const leaving = isGoal ? [] : [execute({ transitionName: 'reopen' })];
    for (const command of [solicit(), submit({ transitionName: 'reopen' }), ...leaving]) {
      given(history)
        .when(command)
        .thenRejected({
          rejected: 'refused',
          code: 'session-at-rest',
          message: `[NoTransitions] Invalid transition from state "${state}": the session is at rest there: it is the goal, or offers no transitions. Start another session; a person or an operator may leave a goal that has transitions.`,
        });
    }
  });

  it('X-D6: is granted when an operator leaves the goal by one of its transitions', () => {
    const reopen = { transitionName: 'reopen', toState: 'triage' };
    const ids = { roundId: 'round-2', nextRoundId: 'round-3', fromState: 'refunded' };
    given([created(), executed()])
      .when(execute({ ...reopen, nextRoundId: 'round-3' }))
      .then([executed({ ...reopen, ...ids })]);
  });

  it.each([submit({ transitionName: 'close' }), execute({ transitionName: 'close', toState: 'closed' })])(
    'is refused for a transition that the state does not offer, and says which it offers: $type',
    (command) => {
      given([created()]).when(command).thenRejected({
        rejected: 'refused',
        code: 'transition-not-offered',
        message:
          '[InvalidTransition] Invalid transition "close" from state "triage": that state offers "refund", "escalate". Choose one of these.',
      });
    },
  );

  it('is refused to a person where the session is at rest, and names no transition to choose', () => {
    given([created(), executed({ toState: 'lost' })])
      .when(force({ transitionName: 'resolve' }))
      .thenRejected({ message: expect.stringMatching(/ that state offers none\. Start another session/) });
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'does not find a transition called %s',
    (transitionName) => {
      for (const command of [submit({ transitionName }), execute({ transitionName })]) {
        given([created()]).when(command).thenRejected({ code: 'transition-not-offered' });
      }
    },
  );
});

describe('SolicitProposal', () => {
  it('asks in the round that is current when it names none', () => {
    given([created()]).when(solicit()).then([solicited()]);
    given([created(), executed({ transitionName: 'escalate', toState: 'escalated' })])
      .when(solicit())
      .then([solicited({ roundId: 'round-2' })]);
  });

  it('keeps what the caller gave for the proposal', () => {
    given([created()])
      .when(solicit({ given: { reasoning: '', metaJson: { a: 1 } } }))
      .then([solicited({ given: { reasoning: '', metaJson: { a: 1 } } })]);
  });

  it('names the person who has the proposer asked', () => {
    given([created()])
      .when(solicit({ by: 'ann' }))
      .then([solicited({ by: 'ann' })]);
  });

  it('is refused while the specialist is being asked in that round', () => {
    given([created(), solicited()])
      .when(solicit({ solicitationId: 'solicitation-2' }))
      .thenRejected({
        rejected: 'conflict',
        code: 'solicitation-open',
        message: form('SolicitationOpen'),
      });
  });

  it('asks several specialists in one round', () => {
    given([created(), solicited()])
      .when(solicit({ specialistId: 'other', solicitationId: 'solicitation-2' }))
      .then([solicited({ specialistId: 'other', solicitationId: 'solicitation-2' })]);
  });

  it('is refused once the specialist has a proposal in the round', () => {
    given([created(), proposed()])
      .when(solicit())
      .thenRejected({
        rejected: 'conflict',
        code: 'duplicate-proposal',
        message: form('DuplicateProposal'),
      });
  });

  it('asks again a proposer that failed in this round', () => {
    given([created(), solicited(), FAILURE]).when(solicit()).then([solicited()]);
  });

  it('D-43: asks no proposer twice in a round, after any result, when the caller says so', () => {
    const conflict = { rejected: 'conflict', code: 'already-asked', message: form('AlreadyAsked') } as const;
    const invalid = setAside('invalid', { solicitationId: 'solicitation-1' });
    for (const end of [FAILURE, invalid])
      given([created(), solicited(), end])
        .when(solicit({ unlessAsked: true }))
        .thenRejected(conflict);
    given([created(), solicited(), FAILURE])
      .when(solicit({ specialistId: 'other', unlessAsked: true }))
      .then([solicited({ specialistId: 'other' })]);
  });

  it('D-43: asks again in the next round for a caller that wants everybody asked once', () => {
    const next = executed({ transitionName: 'escalate', toState: 'escalated' });
    given([created(), solicited(), FAILURE, next])
      .when(solicit({ unlessAsked: true }))
      .then([solicited({ roundId: 'round-2' })]);
  });

  it('D-43: asks no specialist in a round that is over, for a caller that wants each asked once', () => {
    const next = executed({ transitionName: 'escalate', toState: 'escalated' });
    for (const history of [[], [solicited()], [solicited(), FAILURE]])
      given([created(), ...history, next])
        .when(at('round-1', solicit({ solicitationId: 'solicitation-2', unlessAsked: true })))
        .thenRejected({ rejected: 'conflict', code: 'round-over' });
  });

  it('asks again in the next round a specialist that is still being asked in the one before', () => {
    given([created(), solicited(), executed({ transitionName: 'escalate', toState: 'escalated' })])
      .when(solicit({ solicitationId: 'solicitation-2' }))
      .then([solicited({ solicitationId: 'solicitation-2', roundId: 'round-2' })]);
  });

  it('X-D10: is refused for a round that is over: a proposal would come too late to count', () => {
    given([created(), executed()])
      .when(at('round-1', solicit()))
      .thenRejected({ rejected: 'conflict', code: 'round-over' });
  });
});

describe('SubmitProposal', () => {
  it('D-20: takes the target from the machine', () => {
    given([created()]).when(submit()).then([proposed()]);
  });

  it('keeps everything that was said with it, 0 and "" too', () => {
    const said = {
      reasoning: '',
      metaJson: { a: [] },
      costUSD: 0,
      latencyMsec: 0,
      numInputTokens: 0,
      numOutputTokens: 0,
    };
    given([created()])
      .when(submit(said))
      .then([proposed(said)]);
  });

  it('D-11: says whether a human made it', () => {
    given([created()])
      .when(submit({ isHuman: true }))
      .then([proposed({ isHuman: true })]);
  });

  it('is set aside as late for a past round of any proposer', () => {
    const history = [created(), proposed(), executed({ transitionName: 'escalate', toState: 'escalated' })];
    given(history)
      .when(at('round-1', submit()))
      .then([setAside('late')]);
  });

  it('is judged by the state of its own round when it is late', () => {
    const history = [created(), executed({ transitionName: 'escalate', toState: 'escalated' })];
    given(history)
      .when(at('round-1', submit({ transitionName: 'resolve' })))
      .thenRejected({ code: 'transition-not-offered' });
    given(history)
      .when(submit({ transitionName: 'resolve' }))
      .then([proposed({ roundId: 'round-2', transitionName: 'resolve', toState: 'refunded' })]);
  });

  it('is refused as a second proposal of the specialist in the round', () => {
    given([created(), proposed()])
      .when(submit({ proposalId: 'proposal-2', transitionName: 'escalate' }))
      .thenRejected({
        rejected: 'conflict',
        code: 'duplicate-proposal',
        message: form('DuplicateProposal'),
      });
  });

  it('is taken while the specialist is being asked, whose answer will be a duplicate', () => {
    given([created(), solicited()]).when(submit()).then([proposed()]);
  });

  it('is taken after proposals of the round were set aside', () => {
    given([created(), solicited(), setAside('invalid', { solicitationId: 'solicitation-1' })])
      .when(submit())
      .then([proposed()]);
  });
});

describe('ExecuteTransition', () => {
  it('case 44: works on a machine that uses only shorthand', () => {
    given([created()]).when(execute()).then([executed()]);
  });

  it('D-10: works from state to state, each time in a round of its own', () => {
    given([created(), executed({ transitionName: 'escalate', toState: 'escalated' })])
      .when(execute({ transitionName: 'resolve', toState: 'refunded', nextRoundId: 'round-3' }))
      .then([
        executed({
          roundId: 'round-2',
          nextRoundId: 'round-3',
          transitionName: 'resolve',
          fromState: 'escalated',
          toState: 'refunded',
        }),
      ]);
  });

  it('keeps reasoning and metaJson', () => {
    given([created()])
      .when(execute({ reasoning: 'why', metaJson: { a: 1 } }))
      .then([executed({ reasoning: 'why', metaJson: { a: 1 } })]);
  });

  it('D-40: is refused when toState is not the target of the transition', () => {
    given([created()])
      .when(execute({ toState: 'escalated' }))
      .thenRejected({
        rejected: 'refused',
        code: 'state-mismatch',
        message:
          '[StateMismatch] State mismatch: transition "refund" to "escalated": it leads to "refunded". Name the target that the machine defines.',
      });
  });

  it('D-10: is refused for a round that is over', () => {
    given([created(), executed({ transitionName: 'escalate', toState: 'escalated' })])
      .when(at('round-1', execute()))
      .thenRejected({ rejected: 'conflict', code: 'round-over', message: form('RoundOver') });
  });

  const open = proposed({ reasoning: 'proposed', metaJson: { amount: 5 } });

  it('D-8, D-40: grants an open proposal of the round, which fills in reasoning and metaJson', () => {
    given([created(), open])
      .when(execute({ proposalId: 'proposal-1' }))
      .then([
        executed({
          reasoning: 'proposed',
          metaJson: { amount: 5 },
          proposalId: 'proposal-1',
          decidedBy: 'operator',
        }),
      ]);
  });

  it('lets what the caller says of a granted proposal win', () => {
    given([created(), open])
      .when(execute({ proposalId: 'proposal-1', reasoning: '', metaJson: {} }))
      .then([executed({ reasoning: '', metaJson: {}, proposalId: 'proposal-1', decidedBy: 'operator' })]);
  });

  it('takes nothing from proposals when it names none', () => {
    given([created(), open]).when(execute()).then([executed()]);
  });

  it.each<[string, readonly SessionEvent[], object]>([
    ['that does not exist', [], {}],
    ['for another transition', [open], { transitionName: 'escalate', toState: 'escalated' }],
    ['that was set aside', [solicited(), setAside('invalid')], {}],
    ['of a round that is over', [open, executed({ transitionName: 'escalate', toState: 'triage' })], {}],
  ])('is refused for a proposal %s', (_, more, over) => {
    given([created(), ...more])
      .when(execute({ proposalId: 'proposal-1', ...over }))
      .thenRejected({ rejected: 'conflict', code: 'proposal-not-open', message: form('ProposalNotOpen') });
  });
});
