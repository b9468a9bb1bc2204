// A real kube-apiserver with its own etcd and optional controllers that need no kubelets. It has only the
// nodes that a test creates. Its certificate is from the authority of this run, and it ends with this
// process.

import { readFileSync, rmSync } from 'node:fs';
import type { Etcd } from '../etcd/etcd.ts';
import type { JsonRequest, JsonResponse } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import type { Daemon } from '../programs/daemon.ts';

export interface KubeApiserverSettings {
  readonly folder: string;
  readonly url: string;
  readonly caPath: string;
  /** Has all permissions. */
  readonly adminToken: string;
  /** A known user without permissions. */
  readonly unprivilegedToken: string;
  /** Of the administrator. */
  readonly kubeconfigPath: string;
}

export interface KubeRequest extends JsonRequest {
  /** Default: the administrator's token. Empty: no token. */
  readonly token?: string;
}

export class KubeApiserver {
  readonly url: string;
  readonly caPath: string;
  readonly adminToken: string;
  readonly unprivilegedToken: string;
  readonly kubeconfigPath: string;
  readonly #folder: string;
  readonly #etcd: Etcd;
  readonly #daemons: Daemon[] = [];

  constructor(settings: KubeApiserverSettings, etcd: Etcd) {
    this.url = settings.url;
    this.caPath = settings.caPath;
    this.adminToken = settings.adminToken;
    this.unprivilegedToken = settings.unprivilegedToken;
    this.kubeconfigPath = settings.kubeconfigPath;
    this.#folder = settings.folder;
    this.#etcd = etcd;
  }

  /** Stops the daemon with the server. */
  addDaemon(daemon: Daemon): void {
    this.#daemons.unshift(daemon);
  }

  request(target: string, { token = this.adminToken, headers, ...options }: KubeRequest = {}): Promise<JsonResponse> {
    return requestJson(`${this.url}${target}`, {
      ...options,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      tls: { ca: readFileSync(this.caPath) },
    });
  }

  async stop(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.stop();
    await this.#etcd.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
