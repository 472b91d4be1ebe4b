export { conversationWith, type Script, type Story } from './story.js';
