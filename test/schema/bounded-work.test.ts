/** No text of a caller makes us work much longer than a plain one of its length, whatever stands in it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inBrackets } from '../../src/core/errors/names.ts';
import { ApiError, Faults } from '../../src/core/errors.ts';
import { readAddress, readNetwork } from '../../src/core/network/networks.ts';
import { readRate } from '../../src/core/rate.ts';
import { resources } from '../../src/core/registry.ts';
import { cellsOf } from '../../src/core/schema/csv/cells.ts';
import { nearestName, readMembers } from '../../src/core/schema/fields/members.ts';
import { parseForm } from '../../src/core/schema/form/form.ts';
import { parseJsonBody } from '../../src/core/schema/json/json.ts';
import { memberPath } from '../../src/core/schema/path.ts';
import {
  foldAddress,
  foldText,
  plainText,
  sameText,
} from '../../src/core/schema/search/folding.ts';
import { readSearchText } from '../../src/core/schema/search/searching.ts';
import { normalized, spellings, startsNearly } from '../../src/core/schema/search/spelling.ts';
import { isGuess } from '../../src/edge/request/guesses.ts';
import { refusePassedOver } from '../../src/edge/request/passed-over.ts';
import { cookieNamed } from '../../src/edge/request/request.ts';
import { noVersionIn } from '../../src/edge/response/conditions.ts';
import {
  hasOwnOffset,
  isLocalTime,
  isTimeOfDay,
  orderIn,
  readDate,
  readDateTime,
} from '../../src/features/imports/serves/table/dates.ts';
import { secretOf } from '../../src/records/auth/issue-key.ts';
import { identifierInForm, identifierInJson } from '../../src/services/requests/fingerprints.ts';
import { createPasskeys } from '../../src/services/staff/passkeys.ts';
import { checkPassword } from '../../src/services/staff/passwords.ts';
import { declaredKinds, readField, singleKinds } from '../support/kinds.ts';
import { served } from '../support/world.ts';

/** More than any text of a caller may have but a body: what grows with the square of it is far too slow. */
const LONG = 32_768;
/** How many times as long an odd text may take as a plain one; what is quadratic takes a thousand times as long. */
const MOST = 100;
/** What a plain text takes at least, in milliseconds: in less, the compiler and the collector of memory count for more. */
const LEAST = 1;
/** Bounds a path likewise, which also takes its way through a socket. */
const PATH_MOST = 20;
/** How often a path is measured that seems to take longer. */
const TRIES = 25;

/** What texts are made of that were slow somewhere, each over and over, behind a beginning and before an end. */
const PIECES: readonly string[] = [
  ...['a', 'ab', '0', '1.', '-1', '.', ',', ' ', '\t', '\n', '@', '"', "'", '\\', '/', '%', '%41'],
  ...['(', '[', '{', '<', '<a', '[]', '+', '=', '&', 'a=', ';', ':', '-', '_', '|', '1-', '1 '],
  ...['\u{1f600}', 'é', 'ﷺ', 'İ', 'Σ', '’', 'a’bcd', '\u0327', 'a\u0301', '\ufe0f', '\u200d', 'ｶﾞ'],
  ...[
    '0123456789',
    'qwerty',
    'aaaaab',
    'x y ',
    '415-555-0123 ',
    '2027-01-31T',
    'a.example',
    'W/"a",',
    '"1--gzip",',
    'a[b].',
    'idempoten',
    'ledgerstone-',
  ],
];
const BEGINNINGS: readonly string[] = ['', 'a', '"', '/', '+1', '{"a":"', 'Basic '];
const ENDS: readonly string[] = ['', 'x', ' !', '/'];

/** Not in the order of its marks: the last go before all others. */
const TANGLED = (length: number) => '\u0315'.repeat(length / 2) + '\u0327'.repeat(length / 2);

function* oddTexts(length: number): Generator<string> {
  for (const [at, piece] of PIECES.entries()) {
    const around = [
      ['', ''],
      ['a', ' !'],
      [BEGINNINGS[at % BEGINNINGS.length] ?? '', ENDS[at % ENDS.length] ?? ''],
    ];
    for (const [begin = '', end = ''] of around) {
      const room = length - begin.length - end.length;
      yield begin + piece.repeat(room / piece.length) + end;
    }
  }
  yield `a${TANGLED(length - 2)}`;
  yield `a${TANGLED(length - 4)} b`;
}

const words = ['orchard', 'lantern', 'pebble', 'seven', 'harbor', 'violet', 'ladder', 'tuneful'];
const plain = (length: number): string =>
  Array.from({ length: length / 8 + 1 }, (_, at) => words[(at * 5 + (at >> 3)) % 8])
    .join(' ')
    .slice(0, length);

/** The milliseconds of the processor that this thread has used: what others use beside it does not count. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function took(work: () => unknown): number {
  const began = used();
  try {
    work();
  } catch (error) {
    // A refusal is an answer, too.
    if (!(error instanceof ApiError)) throw error;
  }
  return used() - began;
}

/** What it takes to read a text once, letter by letter, and its characters. */
function reading(text: string): number {
  return took(() => [...text].map((one) => one.codePointAt(0)).filter((one) => one === 0));
}

/** Fails where one of the texts takes many times as long as a plain one, and as reading it. */
function staysBounded(work: (text: string) => unknown, length = LONG): void {
  const usual = plain(length);
  const base = Math.max(
    took(() => work(usual)),
    reading(usual),
    LEAST,
  );
  for (const text of oddTexts(length)) {
    let is = Number.POSITIVE_INFINITY;
    // A pause of the machine is not taken for work.
    for (let tries = 0; tries < 5 && is > MOST * base; tries++) is = took(() => work(text));
    const shown = JSON.stringify([text.slice(0, 12), text.slice(-6)]);
    assert.ok(is <= MOST * base, `${shown}: ${is} ms, and ${base} ms for a plain one`);
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const rules = { order: undefined, zone: 'America/Chicago' } as never;

/** All that is given a text of a caller and does not only copy it. */
const READERS: Readonly<
  Record<string, readonly [work: (text: string) => unknown, length?: number]>
> = {
  'a new password': [(text) => checkPassword(text, 'editor@example.com'), 1_000],
  'a new password of emoji': [(text) => checkPassword(text, 'editor@example.com'), 1_999],
  'the email of whoever chooses it': [
    (text) => checkPassword('pebble orchard lantern seven', text),
    2_000,
  ],
  'a form of Unicode': [(text) => [normalized(text, 'NFC'), normalized(text, 'NFKC')]],
  'a folded text': [foldText],
  'a folded address': [foldAddress],
  'a name as it is compared': [sameText],
  'the text of a record': [plainText],
  'a search': [readSearchText],
  'how a word may be spelt': [spellings],
  'whether a word is spelt nearly so': [(text) => startsNearly(text, text.slice(0, -2))],
  'the nearest known name': [(text) => nearestName(text, words)],
  'a body of JSON': [(text) => parseJsonBody(bytesOf(text), new Faults())],
  'a text in a body of JSON': [
    (text) => parseJsonBody(bytesOf(JSON.stringify({ text })), new Faults()),
  ],
  'a form': [(text) => parseForm(bytesOf(text), new Faults())],
  'a name in a body': [
    (text) => {
      const reading = { encoding: 'json', faults: new Faults(), unknown: 'refuse' } as const;
      readMembers(resources.at(-1)?.upsert ?? {}, { [text]: 1 }, '', reading);
    },
  ],
  'a name in the message about a form': [(text) => inBrackets(text, memberPath(undefined, text))],
  'the name of a header': [
    (text) => {
      const request = { headers: { [text]: '1' }, method: 'POST', route: {} };
      refusePassedOver({ ...request, raw: { rawHeaders: [text, '1'] } } as never);
    },
  ],
  'the If-Match header': [
    (text) => noVersionIn({ headers: { 'if-match': text } } as never),
    16_000,
  ],
  'a guessed path': [(text) => isGuess(`/v1/${text}`)],
  'a row of CSV': [(text) => cellsOf(bytesOf(text), ',')],
  'an identifier in a refused body': [(text) => identifierInJson(bytesOf(text))],
  'an identifier in a refused form': [(text) => identifierInForm(text)],
  'a date in a file': [(text) => [orderIn(text), readDate(text, rules)]],
  'a time in a file': [
    (text) => [isTimeOfDay(text), hasOwnOffset(text), isLocalTime(text), readDateTime(text, rules)],
  ],
  'an address': [readAddress],
  'a network': [readNetwork],
  'a rate': [readRate],
  'the Authorization header': [secretOf, 16_000],
  'the Cookie header': [(text) => cookieNamed('ledgerstone_session', text), 16_000],
};

describe('Work stays bounded for', () => {
  for (const [name, [work, length]] of Object.entries(READERS))
    it(name, () => staysBounded(work, length));

  const kinds = new Map([...declaredKinds, ...singleKinds].map((one) => [one.kind.name, one]));
  for (const [name, { kind }] of kinds)
    it(`a field that holds ${name}`, () => {
      for (const length of [2_000, LONG])
        staysBounded((text) => readField(kind, JSON.stringify(text)), length);
    });

  it('the answer of a passkey, however deep or long it is', async () => {
    const ceremonies = { challenge: async () => 'AAAA', answered: async () => true };
    const { registered } = createPasskeys({} as never, ceremonies as never);
    const site = { origin: 'https://records.example.com', hostname: 'records.example.com' };
    const answerOf = (bytes: Uint8Array) => {
      const text = Buffer.from(bytes).toString('base64url');
      const client = { type: 'webauthn.create', challenge: 'AAAA', origin: site.origin };
      const clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url');
      const response = { clientDataJSON, attestationObject: text, transports: [] };
      const named = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };
      return registered('stf_1', 'x', { ...named, response }, null, site);
    };
    const least = async (bytes: Uint8Array): Promise<number> => {
      let best = Number.POSITIVE_INFINITY;
      for (let times = 0; times < 3; times++) {
        const began = performance.now();
        await assert.rejects(answerOf(bytes), { code: 'passkey_refused' });
        best = Math.min(best, performance.now() - began);
      }
      return best;
    };
    const length = 48_000;
    await least(new Uint8Array(8));
    const base = Math.max(await least(new Uint8Array(length)), reading('a'.repeat(length)));
    // Arrays, maps, tags, long texts, endless ones, and numbers of members that are not there.
    for (const bytes of [
      [0x81],
      [0xa1, 0x00],
      [0xc1],
      [0x7b],
      [0x9f],
      [0xbf, 0x60],
      [0x9b, 0xff],
      [0xbb, 0x7f],
      [0x60],
    ]) {
      const sent = Uint8Array.from({ length }, (_, at) => bytes[at % bytes.length] ?? 0);
      const is = await least(sent);
      assert.ok(is <= MOST * base, `${bytes}: ${is} ms, and ${base} ms for zeros`);
    }
  });

  const on = served();

  it('a path that leads nowhere, and what it may have meant', async () => {
    const asked = async (path: string): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let times = 0; times < 4; times++) {
        const began = performance.now();
        await on.get(path);
        least = Math.min(least, performance.now() - began);
      }
      return least;
    };
    const length = 14_000;
    const plain = async () =>
      Math.max(await asked('/v1/events'), await asked(`/v1/${'a'.repeat(length)}`), LEAST);
    for (const piece of ['a', 'a/', '%41', '-', 'events', 'events/', ':', '.', '%2F'])
      for (const [begin, end] of [
        ['/v1/', '/x'],
        ['/v1/events/', '/'],
        ['/v1/', ''],
      ]) {
        const path = `${begin}${piece.repeat(length / piece.length)}${end}`;
        let [base, is] = [await plain(), await asked(path)];
        // Whatever else the machine does takes its time of one try. What is slow by its text is slow in all of them.
        for (let tries = 1; tries < TRIES && is > PATH_MOST * base; tries += 1)
          [base, is] = [await plain(), Math.min(is, await asked(path))];
        assert.ok(is <= PATH_MOST * base, `${path.slice(0, 20)}…${end}: ${is} ms, and ${base} ms`);
      }
  });
});
