// A real kube-apiserver with an etcd of its own and, if wanted, the controllers that do not need kubelets. There are no nodes but those
// that a test makes. What must hold: it shows a certificate of this run's authority, and ends with this process.

import { readFileSync, rmSync } from 'node:fs';
import type { Etcd } from '../etcd/etcd.ts';
import type { JsonAnswer, JsonRequest } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import type { Daemon } from '../programs/daemon.ts';

export interface KubeApiserverPlace {
  readonly folder: string;
  readonly url: string;
  readonly caPath: string;
  /** May do everything. */
  readonly adminToken: string;
  /** Somebody whom the server knows, and who may do nothing. */
  readonly powerlessToken: string;
  /** Of the administrator, for programs. */
  readonly kubeconfigPath: string;
}

export interface KubeRequest extends JsonRequest {
  /** The administrator's, unless another is given; empty for none. */
  readonly token?: string;
}

export class KubeApiserver {
  readonly url: string;
  readonly caPath: string;
  readonly adminToken: string;
  readonly powerlessToken: string;
  readonly kubeconfigPath: string;
  readonly #folder: string;
  readonly #etcd: Etcd;
  readonly #daemons: Daemon[] = [];

  constructor(place: KubeApiserverPlace, etcd: Etcd) {
    this.url = place.url;
    this.caPath = place.caPath;
    this.adminToken = place.adminToken;
    this.powerlessToken = place.powerlessToken;
    this.kubeconfigPath = place.kubeconfigPath;
    this.#folder = place.folder;
    this.#etcd = etcd;
  }

  /** From now on it ends with the server. */
  own(daemon: Daemon): void {
    this.#daemons.unshift(daemon);
  }

  request(
    target: string,
    { token = this.adminToken, headers, ...options }: KubeRequest = {},
  ): Promise<JsonAnswer> {
    return requestJson(`${this.url}${target}`, {
      ...options,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      tls: { ca: readFileSync(this.caPath) },
    });
  }

  async stop(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.end();
    await this.#etcd.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
