/** An authenticator of passkeys, as a browser has one: it makes keys and signs with them, by the standard. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface Authenticator {
  /** How often it says that it has signed. */
  counter: number;
  register(options: CreationOptions): object;
  answer(options: RequestOptions): object;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** `origin` is where the browser says that it is. */
export function authenticatorAt(origin: string): Authenticator {
  const id = randomBytes(32);
  let privateKey: KeyObject | undefined;
  let user = '';

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const dataOf = (rpId: string, flags: number, counter: number): Buffer => {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  };

  const authenticator: Authenticator = {
    counter: 0,
    register({ challenge, rp, user: { id: handle } }) {
      user = handle;
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      privateKey = pair.privateKey;
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authData = Buffer.concat([
        dataOf(rp.id, USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, authenticator.counter),
        Buffer.alloc(16),
        length,
        id,
        // {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR: a key on P-256.
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ]);
      return credential(id, {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      });
    },
    answer({ challenge, rpId }) {
      if (privateKey === undefined) throw new Error('It has no passkey yet.');
      if (authenticator.counter > 0) authenticator.counter += 1;
      const authenticatorData = dataOf(rpId, USER_PRESENT | USER_VERIFIED, authenticator.counter);
      const client = clientData('webauthn.get', challenge);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(client)]),
        privateKey,
      );
      return credential(id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: user,
      });
    },
  };
  return authenticator;
}

function credential(id: Buffer, response: object): object {
  const name = id.toString('base64url');
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
