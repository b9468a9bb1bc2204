import type { Static } from 'typebox';
import type { PolicyInput } from '../../src/contract/policy.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { ClusterOperation } from '../../src/domain/rollout/operation.ts';
import { isOperationOpen } from '../../src/domain/rollout/operation.ts';
import type { OperationHost } from '../../src/domain/rollout/operation-host.ts';
import type { HostPhase, OperationKind } from '../../src/domain/vocabulary.ts';
import type { Client } from '../../src/sdk/client.ts';
import type { StepOutput } from '../../src/store/repositories/operations/operation-output.ts';
import type { Store } from '../../src/store/store.ts';
import { until } from '../harness/until.ts';

/** All hosts of these tests are in it. */
export const CLUSTER = 'web';

interface Asked {
  readonly kind: OperationKind;
  readonly version?: string;
  readonly policy?: Static<typeof PolicyInput>;
}

/** The service that is asked, and its store, which is looked at past it. */
export interface AskedService {
  readonly client: Client;
  readonly store: Store;
}

/** An operation, followed in the store, whoever carries it out and however often that dies. */
export class FollowedOperation {
  readonly #store: Store;
  readonly id: string;

  private constructor(store: Store, id: string) {
    this.#store = store;
    this.id = id;
  }

  /** Starts one on the cluster. */
  static async start(
    { client, store }: AskedService,
    { kind, version = '', policy = {} }: Asked,
  ): Promise<FollowedOperation> {
    const request = { name: CLUSTER, body: { policy } };
    const put = {
      restart: () => client.putRestart(request),
      upgrade: () => client.putUpgrade(request),
      deploy: () => client.putDeploy({ ...request, body: { policy, version } }),
    };
    const { headers } = await put[kind]();
    const id = headers.get('location')?.split('/').at(-1);
    if (id === undefined) throw new Error('it was not told which operation that is');
    return new FollowedOperation(store, id);
  }

  async record(): Promise<ClusterOperation> {
    const found = await this.#store.reads.operations.get(this.id);
    if (!found) throw new Error(`there is no operation ${this.id}`);
    return found;
  }

  async hosts(): Promise<readonly OperationHost[]> {
    return (await this.#store.reads.operationHosts.list(this.id)).items;
  }

  async host({ address }: { readonly address: string }): Promise<OperationHost> {
    const found = (await this.hosts()).find(({ host }) => host === address);
    if (!found) throw new Error(`${address} is not in operation ${this.id}`);
    return found;
  }

  /** What the steps of a host have said, as far as that is stored. */
  output({ address }: { readonly address: string }): Promise<readonly StepOutput[]> {
    return this.#store.reads.operationOutput.list(this.id, address as Address);
  }

  /** Waits until some host is in a phase, and answers it. */
  untilIn(phase: HostPhase, deadlineMs?: number): Promise<OperationHost> {
    const find = async () => (await this.hosts()).find(host => host.phase === phase);
    return until(`a host is ${phase}`, find, deadlineMs);
  }

  /** Waits for its end, and answers how that was. */
  async end(deadlineMs: number): Promise<string> {
    try {
      const { state, problem } = await until(
        `operation ${this.id} ends`,
        async () => {
          const record = await this.record();
          return !isOperationOpen(record) && record;
        },
        deadlineMs,
      );
      return problem === '' ? state : `${state} (${problem})`;
    } catch (error) {
      const hosts = (await this.hosts()).map(({ host, phase, problem }) => `${host} ${phase} ${problem}`);
      throw new Error(`${String(error)}\n${(await this.record()).problem}\n${hosts.join('\n')}`);
    }
  }
}

/** The phases that a host went through, in order. */
export const phasesOf = ({ phases }: OperationHost): HostPhase[] => phases.map(({ phase }) => phase);
