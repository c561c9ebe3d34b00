/** A text that is the same for all clients: compressed once for each coding, and with an entity tag. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Coding, codingFor, compressed } from '../server/compress.ts';
import { prepare, vary } from './envelope.ts';
import { etagOf, isNamed } from './etag.ts';

export class CachedText {
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #tag: string;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.#text = text;
    this.#bytes = Buffer.from(text);
    this.#tag = createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
  }

  /** Answers with the text, or with 304 where the client has it. All answers share the bytes. */
  async send(reply: FastifyReply): Promise<FastifyReply> {
    const { headers } = reply.request;
    vary(prepare(reply), 'accept-encoding').header('ETag', etagOf(this.#tag));
    if (isNamed(this.#tag, headers['if-none-match'])) return reply.code(304).send();
    const coding = codingFor(this.#bytes.length, headers['accept-encoding']);
    if (coding === undefined) return reply.send(this.#bytes);
    const bytes = await this.#in(coding);
    return reply.header('Content-Encoding', coding).send(bytes);
  }

  #in(coding: Coding): Promise<Buffer> {
    let coded = this.#coded.get(coding);
    if (coded === undefined) {
      coded = compressed(this.#text, coding, { isKept: true });
      this.#coded.set(coding, coded);
    }
    return coded;
  }
}
