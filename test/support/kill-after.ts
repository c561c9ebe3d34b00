/**
 * To be imported before the program: ends its process with SIGKILL after a step. A step is what a kill can come after: a
 * statement that changes something in SQLite, a packet to PostgreSQL, bytes written to a file or synced. Each step of
 * any thread adds a byte to the file `STEPS`, if that is there; the process ends when it has `MOST_STEPS`.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const MOST_STEPS = 10_000;

const { STEPS = '', DATABASE_URL = '' } = process.env;

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Methods = Record<string, Method>;

export function step(): void {
  let file: number;
  try {
    file = openSync(STEPS, constants.O_WRONLY | constants.O_APPEND);
  } catch {
    // They are not counted yet.
    return;
  }
  writeSync(file, '.');
  if (fstatSync(file).size >= MOST_STEPS) process.kill(process.pid, 'SIGKILL');
  closeSync(file);
}

/** Has something done after each call of a method. */
export function after(
  methods: unknown,
  name: string,
  then: (self: unknown, values: unknown[]) => void,
) {
  const all = methods as Methods;
  const method = all[name];
  if (method === undefined) throw new TypeError(`There is no ${name}.`);
  all[name] = function (...values) {
    const result = method.apply(this, values);
    if (result instanceof Promise) return result.finally(() => then(this, values));
    then(this, values);
    return result;
  };
}

const CHANGES = /\b(INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|COMMIT|wal_checkpoint)\b/;
const changing = new WeakSet<object>();
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql, ...more) {
  const statement = prepare.call(this, sql, ...more);
  if (CHANGES.test(sql)) changing.add(statement);
  return statement;
};
for (const name of ['run', 'get', 'all']) {
  after(StatementSync.prototype, name, (self) => {
    if (changing.has(self as object)) step();
  });
}
after(DatabaseSync.prototype, 'exec', (_, [sql]) => {
  if (CHANGES.test(String(sql))) step();
});

if (DATABASE_URL.startsWith('postgres')) {
  const port = Number(new URL(DATABASE_URL).port);
  // What it has given to the kernel arrives, also when the process has ended.
  after(Socket.prototype, '_writeGeneric', (self) => {
    if ((self as Socket).remotePort === port) step();
  });
}

const own = await open(new URL(import.meta.url));
for (const name of ['write', 'sync']) after(Object.getPrototypeOf(own), name, step);
await own.close();
