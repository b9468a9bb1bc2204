// A real etcd with one or three members on the address of this process, called through its JSON gateway. The
// members end with this process, and their files are in the run folder.

import { rmSync } from 'node:fs';
import type { Argv } from '../../../src/domain/command.ts';
import type { ClientCertificate } from '../certificates/certificates.ts';
import type { JsonResponse, TlsContents } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { Daemon } from '../programs/daemon.ts';
import { waitUntil } from '../wait-until.ts';

interface Status {
  readonly leader?: string;
  readonly header?: { readonly member_id?: string };
}

const toBase64 = (value: string) => Buffer.from(value).toString('base64');

export class Etcd {
  /** Client URLs in the order of the members. */
  readonly endpoints: readonly string[];
  /** `undefined` without TLS. */
  readonly tls: ClientCertificate | undefined;
  readonly #folder: string;
  readonly #members: readonly EtcdMember[];

  constructor(folder: string, members: readonly EtcdMember[], tls: ClientCertificate | undefined) {
    this.endpoints = members.map(({ url }) => url);
    this.tls = tls;
    this.#folder = folder;
    this.#members = members;
  }

  #member(index: number): EtcdMember {
    const member = this.#members[index];
    if (member === undefined) throw new Error(`there is no member ${index}`);
    return member;
  }

  get #running(): { member: EtcdMember; index: number }[] {
    return this.#members.map((member, index) => ({ member, index })).filter(({ member }) => member.isOn);
  }

  /** Default: the first running member. */
  post(path: string, body: unknown, member = this.#running[0]?.index ?? 0): Promise<JsonResponse> {
    return this.#member(member).post(path, body);
  }

  /** Linearizable read. */
  async get(key: string): Promise<string | undefined> {
    const { body } = await this.post('/v3/kv/range', { key: toBase64(key) });
    const { kvs = [] } = body as { kvs?: { value?: string }[] };
    return kvs.length === 0 ? undefined : Buffer.from(kvs[0]?.value ?? '', 'base64').toString();
  }

  async put(key: string, value: string): Promise<void> {
    const { status, body } = await this.post('/v3/kv/put', { key: toBase64(key), value: toBase64(value) });
    if (status !== 200) throw new Error(`etcd did not write: ${status} ${JSON.stringify(body)}`);
  }

  /** Index of the leader, once all running members agree on it. */
  leader(): Promise<number> {
    return waitUntil('the members that run have a leader', async () => {
      const statuses = this.#running.map(async ({ member, index }) => {
        const { body } = await member.post('/v3/maintenance/status', {});
        return { index, ...(body as Status) };
      });
      const all = await Promise.all(statuses).catch(() => []);
      const leader = all[0]?.leader ?? '0';
      if (all.length === 0 || leader === '0' || all.some(entry => entry.leader !== leader)) return undefined;
      return all.find(entry => entry.header?.member_id === leader)?.index;
    });
  }

  /** Sends SIGKILL. */
  kill(member: number): Promise<void> {
    return this.#member(member).kill();
  }

  /** Keeps the data, and waits until the member has rejoined. */
  async restart(member: number): Promise<void> {
    await this.kill(member);
    this.#member(member).start();
    await this.#member(member).waitUntilJoined();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map(member => member.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface MemberOptions {
  readonly name: string;
  readonly dataFolder: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
}

/** etcd refuses some architectures unless this variable names them. */
const ENVIRONMENT = process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {};

/** A restart keeps the data. */
export class EtcdMember {
  readonly url: string;
  readonly #peerUrl: string;
  readonly #argv: Argv;
  readonly #tls: TlsContents | undefined;
  #daemon: Daemon | undefined;

  constructor(options: MemberOptions, settings: readonly string[], tls: TlsContents | undefined) {
    this.url = options.clientUrl;
    this.#peerUrl = options.peerUrl;
    this.#tls = tls;
    this.#argv = [
      ...(['etcd', '--name', options.name, '--data-dir', options.dataFolder] as const),
      ...['--listen-client-urls', options.clientUrl, '--advertise-client-urls', options.clientUrl],
      ...['--listen-peer-urls', options.peerUrl, '--initial-advertise-peer-urls', options.peerUrl],
      ...['--initial-cluster-state', 'new', '--logger', 'zap', '--log-level', 'warn'],
      ...settings,
    ];
  }

  get isOn(): boolean {
    return this.#daemon !== undefined;
  }

  start(): void {
    this.#daemon ??= new Daemon(this.#argv, ENVIRONMENT);
  }

  post(path: string, body: unknown, timeoutMs = 2_000): Promise<JsonResponse> {
    return requestJson(`${this.url}${path}`, { method: 'POST', body, tls: this.#tls, timeoutMs });
  }

  /** Waits for the peer port, with or without a leader. */
  async waitForPeerListener(): Promise<void> {
    const request = () => requestJson(`${this.#peerUrl}/version`, { timeoutMs: 200 });
    await this.#daemon?.waitUntilReady(async () => (await request()).status === 200);
  }

  /**
   * Waits until a linearizable read succeeds. A request before the election would block for seconds, hence
   * the short timeout.
   */
  async waitUntilJoined(): Promise<void> {
    const request = () => this.post('/v3/kv/range', { key: 'AA==' }, 200);
    await this.#daemon?.waitUntilReady(async () => (await request()).status === 200);
  }

  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    await daemon?.stop();
  }
}
