/** Looks up names of hosts, in a process of its own. */
import { lookup } from 'node:dns/promises';
import { answerAside } from './aside.ts';

const names = { lookUp: (name: string) => lookup(name, { all: true }) };

export type Names = typeof names;

answerAside(names);
