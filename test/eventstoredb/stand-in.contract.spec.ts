import { describeEventStoreContract } from '#lib/event-store/testing';
import { standInSubject } from './stand-in-subject.js';

describeEventStoreContract('EventStoreDB, stand-in', () => standInSubject(), ['reopen', 'second']);
