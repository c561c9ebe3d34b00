/** Records in which each value is one that is found again in bytes, made from the declarations: a new field is covered by itself. */
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { Resource } from '../../src/core/schema/define.ts';
import type { Field } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import type { Json, JsonObject } from '../../src/core/schema/values.ts';

export interface Canary {
  /** What is looked for. */
  readonly text: string;
  /** Where it was sent. */
  readonly where: string;
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const DAY_MS = 86_400_000;
/** What may be one: a word, a date, digits, and a phone number as people write it. */
const ANY = /zq[a-z]{14}|19\d\d-\d\d-\d\d|\d{10,}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/g;
/** Of the digits of phone numbers and of numbers. */
const LENGTHS = [10, 12];

/** A cage of them: all that were sent to a service. */
export class Canaries {
  readonly all: Canary[] = [];
  #date = Date.parse('1901-01-01');

  /** Letters that no encoding changes. */
  word(where: string): string {
    const word = `zq${Array.from(randomBytes(14), (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;
    return this.#sent(word, where);
  }

  phone(where: string): string {
    return `+1${this.#sent(`${randomInt(2_170_000_000, 9_890_000_000)}`, where)}`;
  }

  /** All that an upsert of a resource may say of a person; throws for a kind of field that it does not know. */
  body({ name, fields, public_data = {} }: Resource): JsonObject {
    return this.#members({ ...fields, ...public_data }, name);
  }

  #members(members: Members, where: string): JsonObject {
    return Object.fromEntries(
      Object.entries(members).map(([name, field]) => [
        name,
        this.#value(field, `${where}.${name}`),
      ]),
    );
  }

  #value({ kind }: Pick<Field, 'kind'>, where: string): Json {
    if (kind.members !== undefined) return this.#members(kind.members, where);
    const name = kind.name.replace('array of ', '');
    const value = this.#single(name, where, kind);
    return name === kind.name ? value : [value, this.#single(name, where, kind)];
  }

  #single(name: string, where: string, { samples }: Field['kind']): Json {
    switch (name) {
      case 'text':
        return `${this.word(where)} "${this.word(where)}"\n é`;
      case 'email address':
        return `${this.word(where)}@example.com`;
      case 'E.164 phone number':
      case 'US phone number':
        return this.phone(where);
      case 'JPG URL':
        return `https://images.example.com/${this.word(where)}.jpg`;
      case 'free-form object': {
        const [member, inner] = [this.word(where), this.word(where)];
        return { [member]: { [inner]: [this.word(where), 1] } };
      }
      case 'object of texts':
        return { [this.word(where)]: this.word(where) };
      case 'date':
        this.#date += 37 * DAY_MS;
        return this.#sent(new Date(this.#date).toISOString().slice(0, 10), where);
      case 'whole number':
      case 'money in cents':
        return Number(this.#sent(`${randomInt(100_000_000_000, 200_000_000_000)}`, where));
      // What says nothing of one person alone.
      case 'date and time':
        return '2027-03-20T14:30:00Z';
      case 'boolean':
        return true;
      case 'choice':
        return samples().accepted[0]?.send ?? '';
      default:
        throw new TypeError(`${where}: teach test/support/canaries.ts what a ${name} is.`);
    }
  }

  #sent(text: string, where: string): string {
    this.all.push({ text, where });
    return text;
  }

  /** Those that stand in these bytes, in any form in which something writes them. */
  in(bytes: Buffer): readonly Canary[] {
    const seen = new Set<string>();
    const packed = bytes.subarray(0, ZSTD.length).equals(ZSTD);
    const text = (packed ? zstdDecompressSync(bytes) : bytes).toString('latin1');
    // Two bytes a letter, too.
    for (const one of [text, text.replaceAll('\0', '')])
      for (const [found] of one.matchAll(ANY)) {
        seen.add(found);
        const digits = found.replace(/\D/g, '');
        for (const length of LENGTHS)
          for (let at = length; at <= digits.length; at += 1)
            seen.add(digits.slice(at - length, at));
      }
    return this.all.filter((one) => seen.has(one.text));
  }
}

/** All files of a folder, by their paths there. */
export function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), readFileSync(path)];
    }),
  );
}
