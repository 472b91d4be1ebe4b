export { asking, replied, unanswered } from './asking.js';
export { sampleRoute } from './sample-route.js';
