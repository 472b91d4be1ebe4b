export { booking, clerk, help, one, schema, scores } from './booking.js';
export { conversationWith, type Script, type Story } from './story.js';
