/**
 * A process of its own that behaves badly in one way until its input ends. Its
 * one argument is a `SiegeLoad` as JSON; it prints what was answered, as JSON.
 */
import { behaviours } from './behaviours.ts';
import type { Target } from './requests.ts';
import { Wires } from './wires.ts';

export interface SiegeLoad extends Target {
  readonly behaviour: string;
}

const load: SiegeLoad = JSON.parse(process.argv[2] ?? '');
const behave = behaviours[load.behaviour];
if (behave === undefined) throw new Error(`There is no behaviour "${load.behaviour}".`);
const wires = new Wires(load.port);
process.stdin.resume().on('end', () => {
  process.stdout.write(JSON.stringify(Object.fromEntries(wires.counts)), () => process.exit());
});
behave(wires, load);
