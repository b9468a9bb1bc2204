import type { Argv } from '../../../src/domain/command.ts';
import type { JsonAnswer, TlsContents } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { Daemon } from '../programs/daemon.ts';

export interface MemberPlace {
  readonly name: string;
  readonly dataFolder: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
}

/** Debian's etcd refuses some machines on which it runs well, until it is told by their name. */
const ENVIRONMENT = process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {};

/** One process of a cluster. It is started again with the data that it had. */
export class EtcdMember {
  readonly url: string;
  readonly #peerUrl: string;
  readonly #argv: Argv;
  readonly #tls: TlsContents | undefined;
  #daemon: Daemon | undefined;

  constructor(place: MemberPlace, settings: readonly string[], tls: TlsContents | undefined) {
    this.url = place.clientUrl;
    this.#peerUrl = place.peerUrl;
    this.#tls = tls;
    this.#argv = [
      ...(['etcd', '--name', place.name, '--data-dir', place.dataFolder] as const),
      ...['--listen-client-urls', place.clientUrl, '--advertise-client-urls', place.clientUrl],
      ...['--listen-peer-urls', place.peerUrl, '--initial-advertise-peer-urls', place.peerUrl],
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

  post(path: string, body: unknown, timeoutMs = 2_000): Promise<JsonAnswer> {
    return requestJson(`${this.url}${path}`, { method: 'POST', body, tls: this.#tls, timeoutMs });
  }

  /** Waits until it answers the others, with or without a leader. */
  async meetsPeers(): Promise<void> {
    const ask = () => requestJson(`${this.#peerUrl}/version`, { timeoutMs: 200 });
    await this.#daemon?.ready(async () => (await ask()).status === 200);
  }

  /** Waits until it takes part: it answers with what all have agreed on. Asked too early it keeps its answer for seconds. */
  async takesPart(): Promise<void> {
    const ask = () => this.post('/v3/kv/range', { key: 'AA==' }, 200);
    await this.#daemon?.ready(async () => (await ask()).status === 200);
  }

  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    await daemon?.end();
  }
}
