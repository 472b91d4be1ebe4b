import { METADATA_TYPE } from './deletions.js';

/** An event that the server writes for itself. */
export interface SystemEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: string;
}

/** Each leader begins an epoch. */
export function epochEvent(number: number): SystemEvent {
  const data = { EpochNumber: number, EpochPosition: 0, PrevEpochPosition: -1 };
  return { stream: '$epoch-information', type: '$EpochInformation', data: JSON.stringify(data) };
}

/** The events that a server writes into an empty database: an epoch, its two users, and the retention of its statistics. */
export function firstSystemEvents(): readonly SystemEvent[] {
  const users = ['admin', 'ops'];
  return [
    epochEvent(0),
    { stream: '$$$scavenges', type: METADATA_TYPE, data: '{"$maxAge":2592000}' },
    ...users.flatMap((name) => [
      { stream: `$user-${name}`, type: '$UserCreated', data: JSON.stringify({ loginName: name }) },
      { stream: '$users', type: '$User', data: JSON.stringify(name) },
    ]),
  ];
}
