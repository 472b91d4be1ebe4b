import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OnRedial, Redial, type RedialOptions, type ReactionDelivery } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { VirtualTime } from '#lib/workflow';
import { engineModule } from '../../libs/engine/module/redial.module.js';
import { EngineSettings } from '../../libs/engine/settings/engine-settings.js';
import type { Place } from './places/place.js';

/** A machine whose rounds are decided by the caller. */
export const orders = {
  machineName: 'orders',
  initialState: 'new',
  goalState: 'booked',
  states: {
    new: { transitions: { pay: 'paid' } },
    paid: { transitions: { book: 'booked' } },
    booked: {},
  },
} as const;

/** One call of the handler. */
export interface Received {
  readonly session: string;
  readonly toState: string;
  readonly key: string;
  /** By the clock of the test. */
  readonly at: number;
}

/** A handler of events; it may throw. */
export type Handle = (event: RecordedEvent, call: number) => unknown;

/** An application with one reaction, by a clock that a test moves. */
export class ReactingEngine {
  readonly redial: Redial;
  readonly log: EventLog;

  private constructor(
    readonly app: INestApplicationContext,
    readonly time: VirtualTime,
    readonly received: readonly Received[],
  ) {
    this.redial = app.get(Redial);
    this.log = app.get(EventLog);
  }

  static async start(
    place: Place & Pick<RedialOptions, 'webhooks' | 'workflows' | 'masterKey' | 'strategies'>,
    handle: Handle = () => undefined,
    time = new VirtualTime(),
  ): Promise<ReactingEngine> {
    const received: Received[] = [];

    class Booking {
      @OnRedial('TransitionExecuted', { name: 'booking' })
      book(event: RecordedEvent, { key }: ReactionDelivery): unknown {
        const { toState } = event.data as { readonly toState: string };
        const session = event.metadata.correlationId;
        received.push({ session, toState, key, at: time.now().getTime() });
        return handle(event, received.length);
      }
    }

    const settings = new EngineSettings(place, time);

    @Module({ imports: [engineModule(() => settings)], providers: [Booking] })
    class App {}

    const app = await NestFactory.createApplicationContext(App, {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
    return new ReactingEngine(app, time, received);
  }

  /** A new session of orders. */
  async order(): Promise<string> {
    await this.redial.defineMachine(orders);
    return (await this.redial.createSession({ machineName: 'orders' })).sessionId;
  }

  /** Decides the next round. */
  async step(sessionId: string, transitionName: 'pay' | 'book'): Promise<void> {
    const toState = transitionName === 'pay' ? 'paid' : 'booked';
    await this.redial.executeTransition({ sessionId, transitionName, toState });
  }

  /**
   * Time passes. After each timer a read of the rows is answered, so that renewals of leases do not pile up: a write that waits
   * 10 seconds for a connection to PostgreSQL fails.
   */
  pass(milliseconds: number): Promise<void> {
    return this.time.pass(milliseconds, () => this.redial.listExperiments({ limit: 1 }));
  }

  /** Time passes until the condition holds. */
  until(condition: () => boolean | Promise<boolean>, stepMs = 0): Promise<void> {
    return repeat(() => this.pass(stepMs), condition);
  }

  /** The states of a session that the handler got. */
  of(session: string): readonly string[] {
    return this.received.filter((one) => one.session === session).map(({ toState }) => toState);
  }

  /** Time passes until it has stopped: it answers nothing meanwhile. */
  async stop(): Promise<void> {
    let isClosed = false;
    const closed = this.app.close().then(() => (isClosed = true));
    await repeat(
      () => this.time.pass(1_000),
      () => isClosed,
    );
    await closed;
  }
}

async function repeat(pass: () => Promise<void>, until: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await until())) {
    await pass();
    await delay(1);
  }
}
