// A reaction pays each approved refund at a bank. The class is a provider of the application.
import { Inject, Injectable } from '@nestjs/common';
import { OnRedial, type ReactionDelivery, type RecordedEvent } from 'redial-engine';
import type { SessionEvent } from 'redial-engine/session';

/** The bank. It pays once for each key. */
export abstract class Bank {
  abstract pay(sessionId: string, key: string): Promise<void>;
}

// #region reaction
@Injectable()
export class RefundPayment {
  constructor(@Inject(Bank) private readonly bank: Bank) {}

  @OnRedial('TransitionExecuted', { name: 'refund-payment' })
  async pay({ data, metadata }: RecordedEvent<Executed>, { key }: ReactionDelivery): Promise<void> {
    if (data.toState === 'approved') await this.bank.pay(metadata.correlationId, key);
  }
}

type Executed = Extract<SessionEvent, { type: 'TransitionExecuted' }>;
// #endregion
