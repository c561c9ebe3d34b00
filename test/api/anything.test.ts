/** Properties: whatever is sent is kept exactly or refused cleanly, never a 5xx. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../support/all.ts';
import { examples } from '../support/bodies.ts';
import { anyCharacter } from '../support/characters.ts';
import { assertUnpolluted, canonical, oddNames } from '../support/odd.ts';
import { parseJson } from '../support/parse-json.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const on = 'online_arrangements';
const UPSERT = `/v1/${on}/upsert`;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
/** What is refused is refused before a store is asked: on PostgreSQL a few show that it is wired alike. */
const REFUSED = ALL || process.env.TEST_STORE !== 'postgres' ? 200 : 10;

const send = (path: string, type: string, body: string | Uint8Array): Promise<Answer> =>
  stage.service.send('POST', path, { body, headers: { 'Content-Type': type } });

describe('whatever is sent', () => {
  /** RFC 7396, as its section 2 has it; nulls in arrays stay. */
  const mergePatch = (target: Body, patch: Body): Body => {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
    const result: Map<string, Body> = new Map(
      typeof target === 'object' && target !== null && !Array.isArray(target)
        ? Object.entries(target)
        : [],
    );
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) result.delete(name);
      else result.set(name, mergePatch(result.get(name), value));
    }
    return Object.fromEntries(result);
  };
  const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false, stringUnit: anyCharacter });
  const key = fc.oneof(
    fc.constantFrom(...oddNames),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  );
  const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
  // JSON.stringify escapes NUL characters and lone surrogates, and nothing else in this way.
  const content = fc
    .dictionary(key, json, { maxKeys: 8, noNullPrototype: false })
    .filter((value) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)));

  it('free-form content comes back exactly, but for what its nulls remove, and merges by RFC 7396', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(content, content, async (first, second) => {
        count += 1;
        const as = `property ${count}`;
        const upsert = (data: unknown) =>
          stage.upsert(on, { json: `"additional_data":${JSON.stringify(data)}`, as });
        const created = await upsert(first);
        assert.equal(created.status, 200, created.text);
        const kept = mergePatch({}, parseJson(JSON.stringify(first)));
        assert.equal(canonical(created.body.additional_data ?? {}), canonical(kept));
        const merged = await upsert(second);
        const expected = mergePatch(kept, parseJson(JSON.stringify(second)));
        assert.equal(canonical(merged.body.additional_data ?? {}), canonical(expected));
        const outcome = canonical(kept) === canonical(expected) ? 'unchanged' : 'updated';
        assert.equal(merged.headers.get('ledgerstone-outcome'), outcome);
        const again = await upsert(second);
        assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
        assert.deepEqual(again.body, merged.body);
      }),
      { numRuns: 100 },
    );
    assertUnpolluted();
  });

  const types = fc.constantFrom(JSON_TYPE, FORM);
  const paths = fc.constantFrom(...examples.map(({ path }) => `/v1/${path}/upsert`));
  const clean = async (path: string, type: string, body: string | Uint8Array): Promise<void> => {
    const answer = await send(path, type, body);
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
    assert.ok(answer.body.error.errors.length > 0);
  };

  it('arbitrary bytes get a clean 4xx', () =>
    fc.assert(fc.asyncProperty(paths, types, fc.uint8Array({ maxLength: 200 }), clean), {
      numRuns: REFUSED,
    }));
  it('arbitrary JSON gets a clean 4xx', () => {
    const text = fc.jsonValue().map((value) => JSON.stringify(value));
    const property = fc.asyncProperty(paths, fc.constant(JSON_TYPE), text, clean);
    return fc.assert(property, { numRuns: REFUSED / 2 });
  });

  it('whatever looks like a form gets a clean 4xx', () => {
    const names = 'image_urls person additional_data é __proto__';
    const tokens = `a [ ] = & % %5B %5D %00 %ff + 0 1 [] [0] ${names}`.split(' ');
    const token = fc.constantFrom(...tokens);
    const form = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(''));
    return fc.assert(fc.asyncProperty(paths, fc.constant(FORM), form, clean), { numRuns: REFUSED });
  });

  it('bodies that are broken in one place are never a 5xx', async () => {
    const whole = Buffer.from(
      stage.text(on, { additional_data: { a: [1, 'é', { b: null }], c: 1.5 } }, 'broken'),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const body = Buffer.from(whole);
        body[at] = byte;
        assert.ok((await send(UPSERT, JSON_TYPE, body)).status < 500);
        assert.ok((await send(UPSERT, JSON_TYPE, whole.subarray(0, at))).status === 400);
      }),
      { numRuns: 100 },
    );
  });

  it('any text at all in any text field comes back, or is refused by name', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, async (cart_summary) => {
        const answer = await stage.upsert(on, { json: { cart_summary }, as: 'text' });
        if (answer.status === 200) assert.equal(answer.body.cart_summary, cart_summary);
        else assert.equal(faultsOf(answer)[0]?.[0], 'cart_summary');
        const refused = !storable(cart_summary) || /^\p{White_Space}*$/u.test(cart_summary);
        assert.equal(answer.status, refused ? 400 : 200);
      }),
      { numRuns: 100 },
    );
  });
});
