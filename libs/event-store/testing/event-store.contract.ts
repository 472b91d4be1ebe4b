import { afterEach, beforeEach, describe } from '@jest/globals';
import { describeAppending } from './contract/appending.js';
import { describeAppendingInOrder } from './contract/appending-in-order.js';
import { describeBlobs } from './contract/blobs.js';
import { describeLimits } from './contract/limits.js';
import { describeModel } from './contract/model.js';
import { describeRacing } from './contract/racing.js';
import { describeReading } from './contract/reading.js';
import { describeRepeating } from './contract/repeating.js';
import { describeReopening, describeSharing } from './contract/sharing.js';
import type { ContractCapability, ContractSubject, CurrentSubject } from './contract/subject.js';
import { describeSubscribing } from './contract/subscribing.js';

/**
 * The guarantees of every adapter of the event store. `open` gives a fresh, empty log for each test. `capabilities` names the optional parts that
 * apply; `open` must give the members that they need.
 */
export function describeEventStoreContract(
  name: string,
  open: () => Promise<ContractSubject>,
  capabilities: readonly ContractCapability[] = [],
): void {
  describe(`event store contract: ${name}`, () => {
    let opened: ContractSubject;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.cleanup());

    describe.each(partsFor(capabilities))('%s', (_, describePart) => {
      describePart(() => opened);
    });
  });
}

function partsFor(
  capabilities: readonly ContractCapability[],
): (readonly [string, (subject: CurrentSubject) => void])[] {
  return [
    ['appending', describeAppending],
    ['appending in order', describeAppendingInOrder],
    ['repeating an append', describeRepeating],
    ['reading', describeReading],
    ['subscribing', describeSubscribing],
    ['limits', describeLimits],
    ['blobs', describeBlobs],
    ['racing', describeRacing],
    ['against a model', describeModel],
    ...(capabilities.includes('reopen') ? [['reopening', describeReopening] as const] : []),
    ...(capabilities.includes('second') ? [['sharing a log', describeSharing] as const] : []),
  ];
}
