import type { Server, Socket } from 'node:net';
import net from 'node:net';
import { hostKeyLine } from '../../../domain/hosts/host-key.ts';
import { SshReader, sshString, uint32 } from '../../../lib/ssh-encoding.ts';
import type { SigningKey } from './signing-key.ts';

/** What a host has shown. */
export interface PresentedKey {
  /** The plain key, as in `/etc/ssh/ssh_host_*_key.pub`, without a comment. */
  readonly line: string;
  /** Whether an authority's word came with it. Whether that is a known one, ssh has judged. */
  readonly isCertified: boolean;
}

const CERTIFICATE = /^(.+)-cert-v01@openssh\.com$/;

/** How many fields of a certificate, after its type and a nonce, are the key: see PROTOCOL.certkeys of OpenSSH. */
const keyFieldCount = (type: string): number => (type === 'ssh-ed25519' ? 1 : 2);

/** Reads a key as it goes over the wire, and takes it out of its certificate. */
export function parsePresentedKey(blob: Buffer): PresentedKey {
  const fields = new SshReader(blob);
  const type = CERTIFICATE.exec(fields.text())?.[1];
  if (type === undefined) return { line: hostKeyLine(blob), isCertified: false };
  fields.string();
  const key = Array.from({ length: keyFieldCount(type) }, () => sshString(fields.string()));
  return { line: hostKeyLine(Buffer.concat([sshString(type), ...key])), isCertified: true };
}

// How the private key gets to ssh without being in a file or in the list of processes: ssh asks an agent to sign, and the agent is
// this one, on a socket in a private folder. What must hold: it has one key, shows no more than its public half, and signs only a login
// to a host whose key was found right. ssh says which host it is speaking to before it asks (OpenSSH 8.9 and later); that is also how
// we learn the host's key.

/** The numbers of the messages: see draft-ietf-sshm-ssh-agent. */
const REQUEST_IDENTITIES = 11;
const SIGN_REQUEST = 13;
const EXTENSION = 27;
const FAILURE = Buffer.of(5);
const SUCCESS = Buffer.of(6);
const IDENTITIES_ANSWER = 12;
const SIGN_RESPONSE = 14;

const SESSION_BIND = 'session-bind@openssh.com';

/** What ssh asks has some hundred bytes; a certificate with it a few thousand. */
const MAX_MESSAGE_BYTES = 65_536;

interface BoundSession {
  readonly host: PresentedKey;
  /** What a login begins with that is signed for this connection and no other. */
  readonly session: Buffer;
}

export class KeyAgent {
  readonly #key: SigningKey;
  readonly #isTrusted: (host: PresentedKey) => boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #boundSession: BoundSession | undefined;
  /** Whether it has signed a login: without that, whoever is in was let in without a key. */
  hasSigned = false;

  /** `isRight` is asked before each signature. */
  constructor(key: SigningKey, isTrusted: (host: PresentedKey) => boolean) {
    this.#key = key;
    this.#isTrusted = isTrusted;
    this.#server = net.createServer(socket => this.#serve(socket));
  }

  /** What the host has shown, as soon as ssh has said so. */
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
