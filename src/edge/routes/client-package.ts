/** The client for `npm install https://…/client.tgz`, without a key. It is packed on request. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { ThreadValue } from '../reference/thread-value.ts';
import { prepare } from '../response/envelope.ts';
import { etagOf, isNamed } from '../response/etag.ts';

const THREAD = new URL('../reference/client-thread.ts', import.meta.url);
const ABOUT = new URL('../../../client/package.json', import.meta.url);

export function addClientPackageRoutes(server: FastifyInstance): void {
  const packed = new ThreadValue<Uint8Array<ArrayBuffer>>(THREAD);
  const { version } = JSON.parse(readFileSync(ABOUT, 'utf8')) as { readonly version: string };
  for (const path of ['/client.tgz', `/client-${version}.tgz`]) {
    server.get(path, { config: { open: true } }, async (request, reply) => {
      const bytes = Buffer.from((await packed.made()).buffer);
      const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      prepare(reply).headers({
        'Content-Type': 'application/gzip',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
        ETag: etagOf(tag),
      });
      if (isNamed(tag, request.headers['if-none-match'])) return reply.code(304).send();
      return reply.send(bytes);
    });
  }
}
