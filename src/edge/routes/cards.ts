/** The pictures of sample records, for clients on this machine. Only `dev` has them. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { prepare } from '../response/envelope.ts';

export interface Cards {
  readonly path: string;
  /** The JPEG of that name, if there is one. */
  readonly read: (name: string) => Buffer | undefined;
}

export function addCardRoutes(server: FastifyInstance, { path, read }: Cards): void {
  server.get<{ Params: { readonly name: string } }>(
    `${path}/:name`,
    { config: { open: true } },
    async (request, reply) => {
      const picture = read(request.params.name);
      if (picture === undefined) throw new ApiError('path_unknown');
      return prepare(reply).header('content-type', 'image/jpeg').send(picture);
    },
  );
}
