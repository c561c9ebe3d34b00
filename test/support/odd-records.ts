/** Records that a table could mistake for something else. */
import assert from 'node:assert/strict';
import { examples } from './bodies.ts';
import { leastOf, type World } from './world.ts';

const ODD = [
  ...['a "quoted", b', 'two\nlines', 'two\r\nlines\r', ' around ', '=1+1', '007', '1.41555E+10'],
  ...['\u{1f56f} \ufeffé \uffff', "'", ';\t|', 'TRUE', '_x0041_x0042_', 'a\u0001b'],
];
const EXACT =
  '{"big":12345678901234567890.5,"small":1e-400,"list":[null,{"a":""},0.10],"__proto__":1}';

/** A full record of the resource, and some whose texts and numbers are easily spoilt. */
export async function fillOddly(stage: World, path: string): Promise<void> {
  const { full } = examples.find((one) => one.path === path) ?? { full: {} };
  const rows = [{ json: full, as: `full of ${path}` }];
  const texts = Object.keys(leastOf(path)).filter((name) => /name|summary/.test(name));
  for (const [at, odd] of ODD.entries()) {
    const json = Object.fromEntries(texts.map((name) => [name, odd]));
    rows.push({ json, as: `${odd} ${at}` });
  }
  for (const name of ['additional_event_metadata', 'additional_data']) {
    if (full[name] !== undefined) rows.push({ json: `"${name}":${EXACT}`, as: 'exact' });
  }
  for (const row of rows) {
    const answer = await stage.upsert(path, row);
    assert.equal(answer.status, 200, answer.text);
  }
}
