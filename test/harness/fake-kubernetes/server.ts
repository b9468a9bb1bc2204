// A small kube-apiserver over real TLS, with kubelets, a signer, and controllers for disruption budgets and
// taints. It follows the published API including codes, reasons and messages. It does not support server-side
// apply, managedFields, dry run, YAML and deletion of collections.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import type { CertificatePaths } from '../certificates/certificates.ts';
import { listen } from '../http/sockets.ts';
import type { Permission, TokenOptions } from './accounts.ts';
import { Accounts } from './accounts.ts';
import type { PresentedCertificate } from './authorities.ts';
import { authority, hashAuthority, issueForUser, retainAuthorities, secureContext } from './authorities.ts';
import { signApproved } from './certificate-requests.ts';
import type { Cluster, ClusterSettings } from './cluster.ts';
import { DisruptionBudgets, Terminations, taintCordoned } from './controllers.ts';
import type { KubeletOptions } from './kubelets.ts';
import { Kubelets } from './kubelets.ts';
import type { KubeObject } from './objects.ts';
import { omitEmptyFields } from './objects.ts';
import type { PodOptions } from './pods.ts';
import { runPod, seed } from './pods.ts';
import { handleRequest, sendResponse, toErrorResponse } from './request-handler.ts';
import type { LoggedRequest, Match } from './request-log.ts';
import { readRequest } from './request-log.ts';
import { findResource } from './resources.ts';
import type { Hook, MatchedFault } from './response-faults.ts';
import { ResponseFaults } from './response-faults.ts';
import { ObjectStore } from './store.ts';
import { Watcher } from './watch.ts';

export interface KubernetesOptions {
  /** Simulated release. Default: 1.20. From 1.22 on, evictions of policy/v1 exist. */
  readonly version?: `1.${number}`;
  readonly clock?: TimerClock;
  readonly settings?: Partial<ClusterSettings>;
}

export class KubernetesServer {
  readonly #releaseAuthorities = retainAuthorities();
  readonly adminToken = `admin-${randomUUID()}`;
  readonly caPath = authority().caPath;
  readonly ca = authority().ca;
  /** Hash of the CA public key for kubeadm. */
  readonly caHash = hashAuthority(authority());
  /** Oldest first. */
  readonly requests: LoggedRequest[] = [];
  readonly settings: ClusterSettings;
  readonly #cluster: Cluster;
  readonly #accounts: Accounts;
  readonly #kubelets: Kubelets;
  readonly #terminations: Terminations;
  readonly #faults = new ResponseFaults();
  readonly #watchers = new Set<Watcher>();
  readonly #server: Server;

  constructor({ version = '1.20', clock = systemClock, settings = {} }: KubernetesOptions) {
    const defaults = {
      termination: 'at once',
      signsCertificates: true,
      expiredWatch: 'event',
      computesBudgets: true,
      taintsCordoned: true,
    } as const;
    this.settings = { ...defaults, ...settings };
    const minor = Number(version.split('.')[1]);
    const store = new ObjectStore();
    this.#cluster = { minor, clock, store, settings: this.settings, writtenBudgets: new Set() };
    this.#accounts = new Accounts(this.#cluster);
    this.#kubelets = new Kubelets(this.#cluster);
    this.#terminations = new Terminations(this.#cluster);
    new DisruptionBudgets(this.#cluster);
    taintCordoned(this.#cluster);
    signApproved(this.#cluster, authority());
    this.addToken(this.adminToken, { user: 'admin', groups: ['system:masters'] });
    const tls = { ...secureContext('own'), requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(tls, (request, response) => {
      this.#handle(request, response).catch(error => {
        // An error of the test or of this server: fails the test without waiting for the client.
        response.destroy();
        throw error;
      });
    });
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  async listen(): Promise<void> {
    await listen(this.#server);
    seed(this.#cluster, this.url, this.ca);
  }

  async close(): Promise<void> {
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.dropConnections();
    await closed;
    this.#releaseAuthorities();
  }

  /** New connections are accepted. */
  dropConnections(): void {
    this.#server.closeAllConnections();
  }

  /** Affects new connections. */
  presentCertificate(presented: PresentedCertificate): void {
    this.#server.setSecureContext(secureContext(presented));
  }

  clientCertificate(user: string, groups: readonly string[] = []): CertificatePaths {
    return issueForUser(user, groups);
  }

  addToken(token: string, options: TokenOptions): void {
    this.#accounts.addToken(token, options);
  }

  revokeToken(token: string): void {
    this.#accounts.revokeToken(token);
  }

  grant(user: string, permissions: readonly Permission[]): void {
    this.#accounts.grant(user, permissions);
  }

  kubelet(name: string, options: KubeletOptions): KubeObject {
    return this.#kubelets.report(name, options);
  }

  notReady(name: string, status: 'Unknown' | 'False' = 'Unknown'): void {
    this.#kubelets.notReady(name, status);
  }

  ready(name: string): void {
    this.#kubelets.ready(name);
  }

  reboot(name: string, bootId: string): void {
    this.#kubelets.reboot(name, bootId);
  }

  pod(name: string, options: PodOptions): KubeObject {
    return runPod(this.#cluster, name, options);
  }

  finishTermination(name: string, namespace = 'default'): void {
    this.#terminations.finish(name, namespace);
  }

  /** Reads the store directly. */
  object(plural: string, name: string, namespace = ''): KubeObject | undefined {
    return this.#cluster.store.get(findResource(plural), namespace, name);
  }

  objects(plural: string, namespace = ''): readonly KubeObject[] {
    return this.#cluster.store.list(findResource(plural), namespace);
  }

  /**
   * Changes an object directly in the store. The controller no longer computes a changed disruption budget.
   */
  change(plural: string, name: string, change: (object: KubeObject) => void, namespace = ''): KubeObject {
    const object = this.object(plural, name, namespace);
    if (object === undefined) throw new Error(`no ${plural} ${name} is there to be changed`);
    change(object);
    this.#cluster.writtenBudgets.add(object.metadata.uid);
    return this.#cluster.store.write(findResource(plural), omitEmptyFields(object));
  }

  /** Removes an object without a grace period. */
  remove(plural: string, name: string, namespace = ''): void {
    this.#cluster.store.remove(findResource(plural), namespace, name);
  }

  /** Returns a function that removes the fault. */
  addFault(fault: MatchedFault): () => void {
    return this.#faults.add(fault);
  }

  /** Runs a hook before matching requests are handled. Default: the next request only. */
  before(match: Match, hook: Hook, times = 1): void {
    this.#faults.before(match, hook, times);
  }

  /** Removes all faults and hooks. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** Lists and watches of older revisions expire. */
  compact(): void {
    this.#cluster.store.compact();
  }

  bookmark(): void {
    for (const watcher of this.#watchers) watcher.bookmark();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const logged = await readRequest(request, this.#cluster.clock).catch(() => undefined);
    // The client disconnected before the end of the request.
    if (logged === undefined) return;
    this.requests.push(logged);
    await this.#faults.runHooks(logged);
    if (this.#faults.apply(logged, response)) return;
    const result = this.#respond(request, logged, response);
    logged.status = result?.code ?? response.statusCode;
    if (result !== undefined) sendResponse(result, response);
  }

  #respond(request: IncomingMessage, logged: LoggedRequest, response: ServerResponse) {
    try {
      const user = this.#accounts.identify(request);
      logged.user = user.name;
      return handleRequest(this.#cluster, user, logged, call => {
        const watcher = new Watcher(this.#cluster, call, response);
        this.#watchers.add(watcher);
        response.on('close', () => this.#watchers.delete(watcher));
      });
    } catch (error) {
      return toErrorResponse(error);
    }
  }
}

export async function startKubernetes(options: KubernetesOptions = {}): Promise<KubernetesServer> {
  const server = new KubernetesServer(options);
  await server.listen();
  return server;
}
