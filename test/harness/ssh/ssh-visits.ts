// What tests of a transport for SSH share: real sshds, connections to them and a folder, all of which end with the test.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { CallLimits, Connection, Target, Transport } from '../../../src/drivers/transport/transport.ts';
import { newId } from '../../../src/lib/random.ts';
import type { Sshd, SshdOptions } from './sshd.ts';
import { startSshd } from './sshd.ts';

export const VISIT_LIMITS: CallLimits = { timeoutMs: 20_000, signal: new AbortController().signal };

export class SshVisits {
  /** Short, since sockets are made in it. */
  readonly folder = mkdtempSync('/tmp/hostler-visits-');
  readonly #toClose: (() => unknown)[] = [];

  constructor() {
    afterEach(async () => {
      for (const close of this.#toClose.splice(0).reverse()) await close();
    });
    afterAll(() => rmSync(this.folder, { recursive: true }));
  }

  inside(name: string): string {
    return path.join(this.folder, name);
  }

  /** Writes a file that only we may read, as ssh wants it of keys. */
  write(content: string | Buffer, name = newId()): string {
    const file = this.inside(name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  keygen(...args: string[]): void {
    const { status, stderr } = spawnSync('ssh-keygen', ['-q', ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Makes a pair of keys in files, and answers the public one. */
  newKey(name: string, ...options: string[]): string {
    this.keygen(
      '-N',
      '',
      '-C',
      '',
      '-f',
      this.inside(name),
      ...(options.length > 0 ? options : ['-t', 'ed25519']),
    );
    return stripKeyComment(readFileSync(this.inside(`${name}.pub`), 'utf8').trim());
  }

  /** What has to end with the test, also when that fails. */
  atEnd(close: () => unknown): void {
    this.#toClose.push(close);
  }

  async start(options?: SshdOptions): Promise<Sshd> {
    const sshd = await startSshd(options);
    this.atEnd(() => sshd.stop());
    return sshd;
  }

  async connect(
    transport: Transport,
    target: Target,
    limits = VISIT_LIMITS,
  ): Promise<Connection | TransportFailure> {
    const answer = await transport.connect(target, limits);
    if (!(answer instanceof TransportFailure)) this.atEnd(() => answer.close());
    return answer;
  }

  async enter(transport: Transport, target: Target): Promise<Connection> {
    const answer = await this.connect(transport, target);
    if (answer instanceof TransportFailure) throw new Error(String(answer));
    return answer;
  }

  /** What a command prints. */
  async output(connection: Connection, ...argv: Argv): Promise<string> {
    const ran = await connection.run(argv, VISIT_LIMITS);
    return ran instanceof TransportFailure ? String(ran) : Buffer.from(ran.stdout).toString();
  }
}
