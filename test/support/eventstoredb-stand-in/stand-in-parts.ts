import type { ClusterNode } from './cluster-node.js';
import type { Metadata, ServiceError } from './grpc.js';
import type { Misbehaviour } from './misbehaviour.js';
import type { StandInLog } from './stand-in-log.js';
import { refusal, type Users } from './users.js';

/** The parts that every call of the stand-in works with. */
export interface StandInParts {
  readonly log: StandInLog;
  readonly misbehaviour: Misbehaviour;
  readonly users: Users;
  readonly node: ClusterNode;
}

/** The error a call is to end with before anything is done, if any. */
export function refused({ misbehaviour, users }: StandInParts, metadata: Metadata): ServiceError | undefined {
  return misbehaviour.next() ?? refusal(users, metadata);
}

/** To be called between an append and its answer. */
export async function beforeAnswering({ misbehaviour }: StandInParts): Promise<void> {
  misbehaviour.onStored?.();
  await misbehaviour.answerAfter;
}
