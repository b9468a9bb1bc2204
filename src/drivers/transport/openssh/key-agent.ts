// How the private key gets to ssh without being in a file or in the list of processes: ssh asks an agent to sign, and the agent is
// this one, on a socket in a private folder. What must hold: it has one key, shows no more than its public half, and signs only a login
// to a host whose key was found right. ssh says which host it is speaking to before it asks (OpenSSH 8.9 and later); that is also how
// we learn the host's key.

import type { Server, Socket } from 'node:net';
import net from 'node:net';
import { FieldReader, field, uint32 } from '../../../lib/ssh-forms/wire-fields.ts';
import type { ShownKey } from './shown-key.ts';
import { shownKey } from './shown-key.ts';
import type { SigningKey } from './signing-key.ts';

/** The numbers of the messages: see draft-ietf-sshm-ssh-agent. */
const ASK_KEYS = 11;
const ASK_SIGNATURE = 13;
const ASK_MORE = 27;
const NO = Buffer.of(5);
const YES = Buffer.of(6);
const KEYS = 12;
const SIGNATURE = 14;

const BINDING = 'session-bind@openssh.com';

/** What ssh asks has some hundred bytes; a certificate with it a few thousand. */
const MAX_MESSAGE_BYTES = 65_536;

interface Bound {
  readonly host: ShownKey;
  /** What a login begins with that is signed for this connection and no other. */
  readonly session: Buffer;
}

export class KeyAgent {
  readonly #key: SigningKey;
  readonly #isRight: (host: ShownKey) => boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bound: Bound | undefined;
  /** Whether it has signed a login: without that, whoever is in was let in without a key. */
  hasSigned = false;

  /** `isRight` is asked before each signature. */
  constructor(key: SigningKey, isRight: (host: ShownKey) => boolean) {
    this.#key = key;
    this.#isRight = isRight;
    this.#server = net.createServer(socket => this.#serve(socket));
  }

  /** What the host has shown, as soon as ssh has said so. */
  get shown(): ShownKey | undefined {
    return this.#bound?.host;
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
        socket.write(field(this.#answer(received.subarray(4, end))));
        received = received.subarray(end);
      }
      if (received.length > MAX_MESSAGE_BYTES) socket.destroy();
    });
  }

  #answer(message: Buffer): Buffer {
    try {
      const fields = new FieldReader(message);
      switch (fields.byte()) {
        case ASK_KEYS:
          return Buffer.concat([Buffer.of(KEYS), uint32(1), field(this.#key.publicBlob), field('')]);
        case ASK_SIGNATURE:
          return this.#sign(fields);
        case ASK_MORE:
          return this.#bind(fields);
        default:
          return NO;
      }
    } catch {
      return NO;
    }
  }

  #bind(fields: FieldReader): Buffer {
    if (fields.text() !== BINDING || this.#bound) return NO;
    this.#bound = { host: shownKey(fields.field()), session: field(fields.field()) };
    return YES;
  }

  #sign(fields: FieldReader): Buffer {
    const [blob, data, flags] = [fields.field(), fields.field(), fields.uint32()];
    if (this.#bound === undefined || !blob.equals(this.#key.publicBlob)) return NO;
    const { host, session } = this.#bound;
    if (!data.subarray(0, session.length).equals(session) || !this.#isRight(host)) return NO;
    const signature = this.#key.sign(data, flags);
    this.hasSigned ||= signature !== undefined;
    return signature ? Buffer.concat([Buffer.of(SIGNATURE), field(signature)]) : NO;
  }
}
