// An SSH agent for one login, so that the private key is never in a file or the process list. It signs only logins to a
// host with a trusted key: ssh (8.9 or later) binds the session to the host key before it requests a signature.

import type { Server, Socket } from 'node:net';
import net from 'node:net';
import { hostKeyLine } from '../../../domain/hosts/host-key.ts';
import { SshReader, sshString, uint32 } from '../../../lib/ssh-encoding.ts';
import type { SigningKey } from './signing-key.ts';

export interface PresentedKey {
  /** Public key in the form of `/etc/ssh/ssh_host_*_key.pub`, without a comment. */
  readonly line: string;
  /** Whether the key came with a certificate. ssh verifies the certificate authority. */
  readonly isCertified: boolean;
}

const CERTIFICATE = /^(.+)-cert-v01@openssh\.com$/;

/** Number of certificate fields that form the key, after the type and a nonce (PROTOCOL.certkeys of OpenSSH). */
const keyFieldCount = (type: string): number => (type === 'ssh-ed25519' ? 1 : 2);

/** Parses a public key blob; extracts the key from a certificate. */
export function parsePresentedKey(blob: Buffer): PresentedKey {
  const fields = new SshReader(blob);
  const type = CERTIFICATE.exec(fields.text())?.[1];
  if (type === undefined) return { line: hostKeyLine(blob), isCertified: false };
  fields.string();
  const key = Array.from({ length: keyFieldCount(type) }, () => sshString(fields.string()));
  return { line: hostKeyLine(Buffer.concat([sshString(type), ...key])), isCertified: true };
}

const REQUEST_IDENTITIES = 11;
const SIGN_REQUEST = 13;
const EXTENSION = 27;
const FAILURE = Buffer.of(5);
const SUCCESS = Buffer.of(6);
const IDENTITIES_ANSWER = 12;
const SIGN_RESPONSE = 14;

const SESSION_BIND = 'session-bind@openssh.com';

/** Requests of ssh have some hundred bytes, with a certificate a few thousand. */
const MAX_MESSAGE_BYTES = 65_536;

interface BoundSession {
  readonly host: PresentedKey;
  /** Session identifier at the start of the signed data, unique to this connection. */
  readonly session: Buffer;
}

export class KeyAgent {
  readonly #key: SigningKey;
  readonly #isTrusted: (host: PresentedKey) => boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #boundSession: BoundSession | undefined;
  /** If false after a login, the host did not require the key. */
  hasSigned = false;

  /** `isTrusted` is called before each signature. */
  constructor(key: SigningKey, isTrusted: (host: PresentedKey) => boolean) {
    this.#key = key;
    this.#isTrusted = isTrusted;
    this.#server = net.createServer(socket => this.#serve(socket));
  }

  /** Undefined until ssh has bound the session. */
  get presentedKey(): PresentedKey | undefined {
    return this.#boundSession?.host;
  }

  listen(socketFile: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(socketFile, resolve);
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
        const end = 4 + received.readUInt32BE(0);
        socket.write(sshString(this.#respond(received.subarray(4, end))));
        received = received.subarray(end);
      }
      if (received.length > MAX_MESSAGE_BYTES) socket.destroy();
    });
  }

  #respond(message: Buffer): Buffer {
    try {
      const fields = new SshReader(message);
      switch (fields.byte()) {
        case REQUEST_IDENTITIES:
          return Buffer.concat([
            Buffer.of(IDENTITIES_ANSWER),
            uint32(1),
            sshString(this.#key.publicBlob),
            sshString(''),
          ]);
        case SIGN_REQUEST:
          return this.#sign(fields);
        case EXTENSION:
          return this.#bind(fields);
        default:
          return FAILURE;
      }
    } catch {
      return FAILURE;
    }
  }

  #bind(fields: SshReader): Buffer {
    if (fields.text() !== SESSION_BIND || this.#boundSession) return FAILURE;
    this.#boundSession = { host: parsePresentedKey(fields.string()), session: sshString(fields.string()) };
    return SUCCESS;
  }

  #sign(fields: SshReader): Buffer {
    const [blob, data, flags] = [fields.string(), fields.string(), fields.uint32()];
    if (this.#boundSession === undefined || !blob.equals(this.#key.publicBlob)) return FAILURE;
    const { host, session } = this.#boundSession;
    if (!data.subarray(0, session.length).equals(session) || !this.#isTrusted(host)) return FAILURE;
    const signature = this.#key.sign(data, flags);
    this.hasSigned ||= signature !== undefined;
    return signature ? Buffer.concat([Buffer.of(SIGN_RESPONSE), sshString(signature)]) : FAILURE;
  }
}
