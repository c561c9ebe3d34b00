/** The yardstick: a bare `node:http` server that parses every body and answers as many bytes as we do. */
import { createServer } from 'node:http';

const [port = '0', answerBytes = '500'] = process.argv.slice(2);
const members = { object: 'bare', text: '' };
members.text = 'x'.repeat(Math.max(0, Number(answerBytes) - JSON.stringify(members).length));

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const form = request.headers['content-type'] !== 'application/json';
    const body = form ? new URLSearchParams(text) : JSON.parse(text);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body === undefined ? {} : members));
  });
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
