import { createTestEngine, type TestEngineOptions } from 'redial-engine/testing';
import { Desk } from './desk.js';
import * as functions from './functions.js';

/** One letter in an engine in memory: the clerk proposes, the lead accepts. Close the engine afterwards. */
export async function oneRefund(providers: NonNullable<TestEngineOptions['providers']>) {
  const { redial, close } = await createTestEngine({ providers, ...functions });
  try {
    const desk = new Desk(redial);
    await desk.onApplicationBootstrap();
    const { sessionId, status } = await desk.receive('letter-1', 'My lamp came broken. It cost 20 euros.');
    await desk.accept(sessionId);
    const { currentState, history } = await redial.getSession({ sessionId });
    return { redial, close, sessionId, status, currentState, metaJson: history[0]?.metaJson };
  } catch (error) {
    await close();
    throw error;
  }
}
