// A process of its own that adds the body of each request to the file in the first argument before it answers, until it is killed. It
// listens on the port in the second one, and prints it once it does.
import { appendFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [file = '', port = '0'] = process.argv.slice(2);
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    appendFileSync(file, body);
    response.end();
  });
});
server.listen(Number(port), '127.0.0.1', () => writeSync(1, `${(server.address() as AddressInfo).port}\n`));
