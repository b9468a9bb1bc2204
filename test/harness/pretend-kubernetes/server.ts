// A small kube-apiserver for tests, over real TLS, with what a real cluster has around it: kubelets, a signer, controllers of
// disruption budgets and taints. What must hold: it keeps to the published API, down to codes, reasons and messages, so that what works with it
// works with a real one. It has no server-side apply, managedFields, dry run, YAML, nor deletion of whole lists.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import type { CertificatePaths } from '../certificates/certificates.ts';
import { listen } from '../listen.ts';
import type { Right, TokenOptions } from './accounts.ts';
import { Accounts } from './accounts.ts';
import { answerTo, errorAnswer, send } from './answer.ts';
import type { ShownCertificate } from './authority.ts';
import { authority, holdAuthorities, secureContext } from './authority.ts';
import { signApproved } from './certificate-requests.ts';
import type { Cluster, ClusterSettings } from './cluster.ts';
import { taintCordoned } from './cordon-taints.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import type { Fault, Hook } from './faults.ts';
import { Faults } from './faults.ts';
import type { KubeletOptions } from './kubelets.ts';
import { Kubelets } from './kubelets.ts';
import type { KubeObject } from './objects.ts';
import type { PodOptions } from './pods.ts';
import { runPod } from './pods.ts';
import type { LoggedRequest, Match } from './request-log.ts';
import { readRequest } from './request-log.ts';
import { resourceOf } from './resources.ts';
import { seed } from './seed.ts';
import { ObjectStore } from './store.ts';
import { Terminations } from './terminations.ts';
import { tidy } from './tidy.ts';
import { Watcher } from './watch.ts';

export interface KubernetesOptions {
  /** The release that it pretends to be: 1.20 by default. From 1.22 on evictions are of policy/v1 too. */
  readonly version?: `1.${number}`;
  readonly clock?: TimerClock;
  readonly settings?: Partial<ClusterSettings>;
}

export class KubernetesServer {
  readonly #letGo = holdAuthorities();
  readonly adminToken = `admin-${randomUUID()}`;
  readonly caPath = authority().caPath;
  readonly ca = authority().ca;
  /** Of the public key of the authority, as kubeadm wants it. */
  readonly caHash = authority().caHash;
  /** All of them, oldest first. */
  readonly requests: LoggedRequest[] = [];
  readonly settings: ClusterSettings;
  readonly #cluster: Cluster;
  readonly #accounts: Accounts;
  readonly #kubelets: Kubelets;
  readonly #terminations: Terminations;
  readonly #faults = new Faults();
  readonly #watchers = new Set<Watcher>();
  readonly #server: Server;

  constructor({ version = '1.20', clock = systemClock, settings = {} }: KubernetesOptions) {
    const all = {
      termination: 'at once',
      signsCertificates: true,
      expiredWatch: 'event',
      keepsBudgets: true,
      taintsCordoned: true,
    } as const;
    this.settings = { ...all, ...settings };
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
      this.#take(request, response).catch(error => {
        // A fault of the test or of this server: it is told, and nobody waits for an answer.
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
    this.#letGo();
  }

  /** Breaks every connection; new ones are taken. */
  dropConnections(): void {
    this.#server.closeAllConnections();
  }

  /** What new connections see. */
  showCertificate(shown: ShownCertificate): void {
    this.#server.setSecureContext(secureContext(shown));
  }

  /** For a user that is authenticated by its name in a certificate. */
  clientCertificate(user: string, groups: readonly string[] = []): CertificatePaths {
    return authority().clientCertificate(user, groups);
  }

  addToken(token: string, options: TokenOptions): void {
    this.#accounts.addToken(token, options);
  }

  revokeToken(token: string): void {
    this.#accounts.revokeToken(token);
  }

  grant(user: string, rights: readonly Right[]): void {
    this.#accounts.grant(user, rights);
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

  /** What is kept, as a test sees it past the API. */
  object(plural: string, name: string, namespace = ''): KubeObject | undefined {
    return this.#cluster.store.get(resourceOf(plural), namespace, name);
  }

  objects(plural: string, namespace = ''): readonly KubeObject[] {
    return this.#cluster.store.list(resourceOf(plural), namespace);
  }

  /** Somebody else changes it, past the rules of the API. A disruption budget is no longer worked out then. */
  change(plural: string, name: string, change: (object: KubeObject) => void, namespace = ''): KubeObject {
    const object = this.object(plural, name, namespace);
    if (object === undefined) throw new Error(`no ${plural} ${name} is there to be changed`);
    change(object);
    this.#cluster.writtenBudgets.add(object.metadata.uid);
    return this.#cluster.store.write(resourceOf(plural), tidy(object));
  }

  /** Somebody else removes it, without any grace. */
  remove(plural: string, name: string, namespace = ''): void {
    this.#cluster.store.remove(resourceOf(plural), namespace, name);
  }

  /** Answers what mends it. */
  fault(fault: Fault): () => void {
    return this.#faults.add(fault);
  }

  /** Runs code of the test right before such a request is looked at. Default: the next one only. */
  before(match: Match, hook: Hook, times = 1): void {
    this.#faults.before(match, hook, times);
  }

  /** Removes all faults and hooks. */
  mend(): void {
    this.#faults.mendAll();
  }

  /** Forgets old states: lists and watches that go back to before now have expired. */
  compact(): void {
    this.#cluster.store.compact();
  }

  bookmark(): void {
    for (const watcher of this.#watchers) watcher.bookmark();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const logged = await readRequest(request, this.#cluster.clock).catch(() => undefined);
    // The caller has gone before it had said all.
    if (logged === undefined) return;
    this.requests.push(logged);
    await this.#faults.runHooks(logged);
    if (this.#faults.strike(logged, response)) return;
    const answer = this.#answer(request, logged, response);
    logged.status = answer?.code ?? response.statusCode;
    if (answer !== undefined) send(answer, response);
  }

  #answer(request: IncomingMessage, logged: LoggedRequest, response: ServerResponse) {
    try {
      const user = this.#accounts.identify(request);
      logged.user = user.name;
      return answerTo(this.#cluster, user, logged, call => {
        const watcher = new Watcher(this.#cluster, call, response);
        this.#watchers.add(watcher);
        response.on('close', () => this.#watchers.delete(watcher));
      });
    } catch (error) {
      return errorAnswer(error);
    }
  }
}

export async function startKubernetes(options: KubernetesOptions = {}): Promise<KubernetesServer> {
  const server = new KubernetesServer(options);
  await server.listen();
  return server;
}
