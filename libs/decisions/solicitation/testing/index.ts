export { toolCall } from './scripted-replies.js';
