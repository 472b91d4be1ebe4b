export { booking, clerk, help, one, schema, scores } from './booking.js';
export { conversationWith, expectRebuilt, type Script, type Story } from './story.js';
