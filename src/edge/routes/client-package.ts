/** The client for `npm install https://…/client.tgz`, without a key. It is packed on request. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { ProcessValue } from '../reference/process-value.ts';
import { prepare } from '../response/envelope.ts';
import { etagOf, isNamed } from '../response/etag.ts';

const PROCESS = new URL('../reference/client-process.ts', import.meta.url);
const ABOUT = new URL('../../../client/package.json', import.meta.url);

export function addClientPackageRoutes(server: FastifyInstance): void {
  const packed = new ProcessValue<Uint8Array>(PROCESS);
  const { version } = JSON.parse(readFileSync(ABOUT, 'utf8')) as { readonly version: string };
  for (const path of ['/client.tgz', `/client-${version}.tgz`]) {
    server.get(path, { config: { open: true } }, async (request, reply) => {
      const bytes = Buffer.from(await packed.made());
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
