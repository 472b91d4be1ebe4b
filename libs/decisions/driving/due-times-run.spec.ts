import { expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, type StoredEvent, StreamNames } from '#lib/event-store';
import { systemClock } from '#lib/kernel';
import { CommandWriter, WrittenPosition } from '#lib/operations/core';
import { WithdrawingOwner } from '#lib/runs/runs';
import { dueTimesRun } from './due-times-run.js';

it('events ask for clocks unless they were copied, whatever the command holds that a caller gave', () => {
  const log = new EventLog(new InMemoryEventStore(), new EventCodec([]), new StreamNames());
  const writer = new CommandWriter(log, systemClock, new WrittenPosition());
  const owner = new WithdrawingOwner(dueTimesRun, writer, systemClock, log.streams);
  const started = (metadata: object): StoredEvent => ({
    eventId: 'event',
    stream: log.streams.of('session', 'one'),
    revision: 4,
    position: '5' as StoredEvent['position'],
    type: 'HumanInputRequested',
    data: JSON.stringify({ clockId: 'clock', endsClocks: ['before'] }),
    metadata: JSON.stringify(metadata),
  });
  const named = (metadata: object) => {
    const { asked, withdrawn } = owner.namedIn(started(metadata));
    return [...asked, ...withdrawn].map(({ runId }) => runId);
  };
  expect(named({ occurredAt: '2026-01-02T03:04:05.678Z' })).toEqual(['clock', 'before']);
  expect(named({ command: { besides: { metaJson: { copied: true } } } })).toEqual(['clock', 'before']);
  expect(named({ command: { besides: { metaJson: { copied: true } } }, copied: true })).toEqual([]);
});
