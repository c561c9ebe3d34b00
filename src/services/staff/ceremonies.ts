/**
 * Questions that a browser is asked, and is to answer once. Each question is signed or sealed and goes with the browser, so that
 * asking takes no room in the store: however often somebody asks, nobody else has to wait.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { StaffBook } from '../../store/books/staff.ts';
import { SKEW_MS } from './sessions.ts';
import { createToken, hashToken } from './tokens.ts';

/** How long a key makes questions; it is good for as long again. */
const KEY_MS = 60 * 60_000;
const KEY_BYTES = 32;
/** Browsers are known for half a year from the beginning of such a half, and for the next one. */
const KNOWN_MS = 182 * 24 * 60 * 60_000;
const ANSWERED = 'answered';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type Ceremonies = ReturnType<typeof createCeremonies>;

export function createCeremonies(book: StaffBook, now: () => number) {
  const keys = new Map<string, Promise<Buffer>>();

  /** The key of a period, which all processes share. */
  async function keyOf(what: string, ms: number, period: number): Promise<Buffer> {
    const name = `${what} ${period}`;
    const found = keys.getOrInsertComputed(name, async () => {
      const made = randomBytes(KEY_BYTES).toString('base64url');
      return Buffer.from(await book.sharedKey(name, made, (period + 2) * ms), 'base64url');
    });
    found.catch(() => keys.delete(name));
    for (const other of keys.keys()) {
      if (keys.size <= 8) break;
      if (other !== name) keys.delete(other);
    }
    return found;
  }

  /** The key with which something was made at a time; `undefined` where that is too long ago, or ahead. */
  async function keyAt(what: string, ms: number, at: number): Promise<Buffer | undefined> {
    const isPossible = Number.isSafeInteger(at) && at <= now() + SKEW_MS && now() - at < 2 * ms;
    return isPossible ? keyOf(what, ms, Math.floor(at / ms)) : undefined;
  }

  /** `when.chance.signature`, of which the last is made with what is said, too. */
  async function signed(what: string, ms: number, says: string): Promise<string> {
    const at = now();
    const begin = `${at.toString(36)}.${createToken()}`;
    return `${begin}.${mac(await keyOf(what, ms, Math.floor(at / ms)), `${says} ${begin}`)}`;
  }

  /** The key of a text that was signed here, saying the same, at most so long ago. */
  async function keyOfSigned(text: string, what: string, ms: number, says: string, most = ms) {
    const [, begin = '', when = '', own = ''] = SIGNED.exec(text) ?? [];
    const at = Number.parseInt(when, 36);
    if (!(now() - at < most)) return undefined;
    const key = await keyAt(what, ms, at);
    return key !== undefined && isSame(own, mac(key, `${says} ${begin}`)) ? key : undefined;
  }

  return {
    /** A question for that purpose: what names it, and what is to be signed by whoever answers. */
    async ask(purpose: string) {
      const ceremony = await signed('ask', KEY_MS, purpose);
      return { ceremony, challenge: (await challenge(ceremony, purpose, KEY_MS)) ?? '' };
    },
    /** The challenge to be signed; `undefined` where it was asked for another purpose, or more than `ms` ago. */
    challenge,
    /** Whether a question is answered for the first time. */
    answered: (ceremony: string): Promise<boolean> =>
      book.onlyOnce({
        hash: hashToken(ceremony),
        purpose: ANSWERED,
        content: '',
        expires_at: now() + KEY_MS,
      }),
    /** Encrypts for this service what a browser keeps meanwhile; `of` opens it again. */
    async seal(content: object, of: string): Promise<string> {
      const at = now();
      const key = await keyOf('seal', KEY_MS, Math.floor(at / KEY_MS));
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(of));
      const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
      const sealed = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
      return `${at.toString(36)}.${sealed}`;
    },
    /** Opens a text that was sealed at most `ms` ago. */
    async open(sealed: string | undefined, of: string, ms: number): Promise<object | undefined> {
      const [when = '', text = ''] = sealed?.split('.') ?? [];
      const at = Number.parseInt(when, 36);
      const key = now() - at < ms ? await keyAt('seal', KEY_MS, at) : undefined;
      return key && openWith(key, Buffer.from(text, 'base64url'), of);
    },
    /** The token of a browser with which somebody has signed in; the one that it has, if that is still good. */
    async browser(kept: string | undefined): Promise<string> {
      const key = kept && (await keyOfSigned(kept, 'browser', KNOWN_MS, 'browser'));
      return kept && key ? kept : signed('browser', KNOWN_MS, 'browser');
    },
    isKnown: async (kept: string | undefined): Promise<boolean> =>
      kept !== undefined &&
      (await keyOfSigned(kept, 'browser', KNOWN_MS, 'browser', 2 * KNOWN_MS)) !== undefined,
  };

  async function challenge(ceremony: string, purpose: string, ms: number) {
    const key = await keyOfSigned(ceremony, 'ask', KEY_MS, purpose, ms);
    return key && mac(key, `challenge ${ceremony}`);
  }
}

const SIGNED = /^(([0-9a-z]{1,11})\.[\w-]{43})\.([\w-]{43})$/;

function mac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function openWith(key: Uint8Array, bytes: Buffer, of: string): object | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8');
    return JSON.parse(text + decipher.final('utf8')) as object;
  } catch {
    return undefined;
  }
}
