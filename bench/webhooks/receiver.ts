/** A system that webhooks are sent to, in a process of its own: takes all of them, and tells how many when it is asked. */
import { createServer } from 'node:http';

let taken = 0;

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(taken));
    return;
  }
  request.resume().on('end', () => {
    taken += 1;
    response.writeHead(204).end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
