// A namespace and a node on a Kubernetes API server, with common requests.

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Endpoint } from '../api-client.ts';
import { KubernetesTestClient } from '../api-client.ts';
import type { Fields } from '../objects.ts';
import { textAt } from '../objects.ts';

export const NODES = '/api/v1/nodes';

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export const getVersion = (object: Fields) => textAt(object, 'metadata', 'resourceVersion');

export interface ApiTarget {
  readonly endpoint: () => Endpoint;
  /** Version of the policy group that serves disruption budgets. */
  readonly policy: 'v1' | 'v1beta1';
}

export class ApiFixture {
  readonly run = randomBytes(3).toString('hex');
  readonly node = `node-${this.run}`;
  readonly pods = `/api/v1/namespaces/space-${this.run}/pods`;
  readonly secrets = `/api/v1/namespaces/space-${this.run}/secrets`;
  readonly budgets: string;
  readonly #target: ApiTarget;
  #client: KubernetesTestClient | undefined;

  constructor(target: ApiTarget) {
    this.#target = target;
    this.budgets = `/apis/policy/${target.policy}/namespaces/space-${this.run}/poddisruptionbudgets`;
  }

  get endpoint(): Endpoint {
    return this.#target.endpoint();
  }

  get client(): KubernetesTestClient {
    this.#client ??= new KubernetesTestClient(this.endpoint);
    return this.#client;
  }

  readonly request = (...args: Parameters<KubernetesTestClient['request']>) => this.client.request(...args);

  async open(): Promise<void> {
    await this.create('/api/v1/namespaces', { metadata: { name: `space-${this.run}` } });
    await this.create(NODES, { metadata: { name: this.node, labels: { run: this.run } } });
  }

  async close(): Promise<void> {
    await this.request('DELETE', `${NODES}/${this.node}`);
    await this.request('DELETE', `/api/v1/namespaces/space-${this.run}`);
    this.client.close();
  }

  readonly create = async (path: string, object: Fields): Promise<Fields> => {
    const { code, body, text } = await this.request('POST', path, object);
    expect(code, text).toBe(201);
    return body;
  };

  /** A ready pod on the node. */
  readonly runPod = async (name: string, labels: Fields = {}, graceSeconds = 30): Promise<void> => {
    await this.create(this.pods, {
      metadata: { name, labels },
      spec: {
        nodeName: this.node,
        containers: [{ name: 'main', image: 'example.invalid/app:1' }],
        terminationGracePeriodSeconds: graceSeconds,
      },
    });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const { code, text } = await this.request('PATCH', `${this.pods}/${name}/status`, { status });
    expect(code, text).toBe(200);
  };

  readonly evict = (name: string, overrides: Fields = {}) =>
    this.request('POST', `${this.pods}/${name}/eviction`, {
      apiVersion: 'policy/v1beta1',
      kind: 'Eviction',
      metadata: { name },
      ...overrides,
    });

  /** Creates a disruption budget for a label, with an optional status. */
  readonly createBudget = async (app: string, status?: Fields): Promise<void> => {
    const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
    await this.create(this.budgets, { metadata: { name: app }, spec });
    if (status === undefined) return;
    const { code, text } = await this.request('PATCH', `${this.budgets}/${app}/status`, { status });
    expect(code, text).toBe(200);
  };
}
