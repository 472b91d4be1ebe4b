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

/**
 * The events of its own that a new log of a server shows: an insecure one the retention of what it counts and of its scavenges,
 * and a server with users these, too.
 */
export function firstSystemEvents(secure = false): readonly SystemEvent[] {
  const users = secure ? ['admin', 'ops'] : [];
  return [
    ...['$stats', '$scavenges'].map((stream) => {
      return { stream: `$$${stream}`, type: METADATA_TYPE, data: '{"$maxAge":2592000}' };
    }),
    ...users.flatMap((name) => [
      { stream: `$user-${name}`, type: '$UserCreated', data: JSON.stringify({ loginName: name }) },
      { stream: '$users', type: '$User', data: JSON.stringify(name) },
    ]),
  ];
}
