/** New connections are read in turn, so that nobody's hundreds keep another one waiting. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { readConnectionsFairly } from '../../src/edge/fair/connections.ts';

function newcomer(remoteAddress: string, read: string[], name = remoteAddress): Socket {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const resume = socket.resume.bind(socket);
  socket.resume = () => {
    read.push(name);
    return resume();
  };
  return socket;
}

it('a new connection is read before most of those that one address has made at once', async () => {
  const server = createServer();
  server.removeAllListeners('connection');
  readConnectionsFairly(server);
  const read: string[] = [];
  for (let count = 0; count < 200; count++) server.emit('connection', newcomer('192.0.2.1', read));
  server.emit('connection', newcomer('192.0.2.2', read));
  assert.equal(read.length, 0, 'none while more are accepted');
  while (read.length < 201) await turn();
  assert.ok(read.indexOf('192.0.2.2') <= 1, `it was read as number ${read.indexOf('192.0.2.2')}`);
});

it('a new connection of the same address is read before most of them, and the first of them is, too', async () => {
  const server = createServer();
  server.removeAllListeners('connection');
  readConnectionsFairly(server);
  const read: string[] = [];
  const comes = (name: string) => server.emit('connection', newcomer('192.0.2.1', read, name));
  comes('first');
  for (let count = 0; count < 200; count++) comes('another');
  comes('last');
  while (read.length < 202) await turn();
  assert.ok(read.indexOf('first') <= 1, `the first was read as number ${read.indexOf('first')}`);
  assert.ok(read.indexOf('last') <= 1, `the last was read as number ${read.indexOf('last')}`);
});
