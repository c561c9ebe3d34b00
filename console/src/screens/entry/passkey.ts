/** Passkeys, by the browser's own JSON methods. */
import { ask } from '../../service/api.ts';

interface Ceremony {
  readonly ceremony: string;
  readonly options: unknown;
}

export interface Proof {
  readonly ceremony: string;
  readonly credential: unknown;
}

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Signs in with a passkey; the ceremony begins at `path`. */
export async function prove(path: string): Promise<Proof> {
  const { ceremony, options } = await ask<Ceremony>('POST', path, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return proofOf(ceremony, await navigator.credentials.get({ publicKey }));
}

/** Makes a passkey. */
export async function create(path: string, body: object): Promise<Proof> {
  const { ceremony, options } = await ask<Ceremony>('POST', path, body);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return proofOf(ceremony, await navigator.credentials.create({ publicKey }));
}

function proofOf(ceremony: string, credential: Credential | null): Proof {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  return { ceremony, credential: credential.toJSON() };
}
