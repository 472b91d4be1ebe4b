import type { RedialServer } from '../support/redial-server.js';
import type { Door } from './doors.js';

/** With it, subjects can be given. */
export const masterKey = Buffer.alloc(32, 7).toString('base64');

export const subjectInputs = {
  exportContent: () => ({ dataset: 'training', machineName: 'gift' }),
  eraseSubject: (door: Door) => ({ subject: `customer-of-${door}`, reason: 'Request 17' }),
  getSubject: () => ({ subject: 'customer-42' }),
};

/** A session about each subject: one of them of each door. */
export async function beginAboutSubjects(server: RedialServer, doors: readonly Door[]): Promise<void> {
  for (const subject of ['customer-42', ...doors.map((door) => `customer-of-${door}`)])
    await server.post('/v1/sessions', { machineName: 'gift', subject });
}
