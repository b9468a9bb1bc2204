// A namespace and a node of their own on a server of the Kubernetes API, and the requests that its tests make again and again.

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Endpoint } from '../caller.ts';
import { Caller } from '../caller.ts';
import type { Fields } from '../objects.ts';
import { textAt } from '../objects.ts';

export const NODES = '/api/v1/nodes';

export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export const versionOf = (object: Fields) => textAt(object, 'metadata', 'resourceVersion');

export interface ApiSubject {
  readonly endpoint: () => Endpoint;
  /** The version of the group policy that has disruption budgets there. */
  readonly policy: 'v1' | 'v1beta1';
}

export class ApiLab {
  readonly run = randomBytes(3).toString('hex');
  readonly node = `node-${this.run}`;
  readonly pods = `/api/v1/namespaces/space-${this.run}/pods`;
  readonly secrets = `/api/v1/namespaces/space-${this.run}/secrets`;
  readonly budgets: string;
  readonly #subject: ApiSubject;
  #caller: Caller | undefined;

  constructor(subject: ApiSubject) {
    this.#subject = subject;
    this.budgets = `/apis/policy/${subject.policy}/namespaces/space-${this.run}/poddisruptionbudgets`;
  }

  get endpoint(): Endpoint {
    return this.#subject.endpoint();
  }

  get caller(): Caller {
    this.#caller ??= new Caller(this.endpoint);
    return this.#caller;
  }

  readonly ask = (...args: Parameters<Caller['ask']>) => this.caller.ask(...args);

  async open(): Promise<void> {
    await this.make('/api/v1/namespaces', { metadata: { name: `space-${this.run}` } });
    await this.make(NODES, { metadata: { name: this.node, labels: { run: this.run } } });
  }

  async close(): Promise<void> {
    await this.ask('DELETE', `${NODES}/${this.node}`);
    await this.ask('DELETE', `/api/v1/namespaces/space-${this.run}`);
    this.caller.close();
  }

  readonly make = async (path: string, object: Fields): Promise<Fields> => {
    const { code, body, text } = await this.ask('POST', path, object);
    expect(code, text).toBe(201);
    return body;
  };

  /** A pod on the node, as if it ran there and were ready. */
  readonly runPod = async (name: string, labels: Fields = {}, graceSeconds = 30): Promise<void> => {
    await this.make(this.pods, {
      metadata: { name, labels },
      spec: {
        nodeName: this.node,
        containers: [{ name: 'main', image: 'example.invalid/app:1' }],
        terminationGracePeriodSeconds: graceSeconds,
      },
    });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const { code, text } = await this.ask('PATCH', `${this.pods}/${name}/status`, { status });
    expect(code, text).toBe(200);
  };

  readonly evict = (name: string, more: Fields = {}) =>
    this.ask('POST', `${this.pods}/${name}/eviction`, {
      apiVersion: 'policy/v1beta1',
      kind: 'Eviction',
      metadata: { name },
      ...more,
    });

  /** A budget for the pods with this label, and what is said to be left of it. */
  readonly budgetFor = async (app: string, status?: Fields): Promise<void> => {
    const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
    await this.make(this.budgets, { metadata: { name: app }, spec });
    if (status === undefined) return;
    const { code, text } = await this.ask('PATCH', `${this.budgets}/${app}/status`, { status });
    expect(code, text).toBe(200);
  };
}
